"use strict";
// Your data: a role chosen above a column reads the file again; a step is computed when it is opened.
(() => {
  // One after another, since each worker of the server keeps its own tables; slow steps beside the others, which do not wait for them.
  const queues = { quick: Promise.resolve(), slow: Promise.resolve() };
  const running = new Map();
  let resting = 0;

  async function load(part) {
    if (!part.isConnected) return;
    part.setAttribute("aria-busy", "true");
    const leave = new AbortController();
    running.set(part, leave);
    try {
      const response = await fetch(part.dataset.part, { headers: { "X-Fragment": "1" }, signal: leave.signal });
      const text = await response.text();
      if (!response.headers.get("Content-Type")?.startsWith("text/html")) throw new Error(text);
      part.innerHTML = text;
      document.dispatchEvent(new Event("part-replaced"));
    } catch (error) {
      const line = document.createElement("p");
      line.className = "error";
      line.setAttribute("role", "alert");
      line.textContent = error instanceof TypeError ? "The server of this page has stopped." : error.message;
      part.replaceChildren(line);
    }
    part.removeAttribute("aria-busy");
    running.delete(part);
  }

  function loadOpen() {
    for (const part of document.querySelectorAll("details[data-step][open] > [data-part]:not([data-asked])")) {
      part.dataset.asked = "";
      const lane = "slow" in part.dataset ? "slow" : "quick";
      queues[lane] = queues[lane].then(() => load(part));
    }
  }

  // Which steps are open stands in the address and in the form, so that they are open after any change.
  function remember() {
    const open = [...document.querySelectorAll("details[data-step][open]")].map((step) => step.dataset.step).join(",") || "none";
    const field = document.querySelector("form[data-live] input[name=open]");
    if (open === (field.value || "same")) return;
    field.value = open;
    const address = new URL(location.href);
    address.searchParams.set("open", open);
    address.searchParams.delete("step");
    history.replaceState(null, "", address);
    const inRoles = document.querySelector("form[data-roles] input[name=open]");
    if (inRoles) inRoles.value = open;
  }

  document.addEventListener("toggle", (event) => {
    if (!event.target.matches("details[data-step]")) return;
    remember();
    loadOpen();
  }, true);
  document.addEventListener("result-replaced", () => {
    for (const [part, leave] of running) if (!part.isConnected) leave.abort();
    clearTimeout(resting);
    resting = setTimeout(loadOpen, 300);
  });
  // The address of a step opens it.
  function openNamed() {
    const step = document.getElementById(location.hash.slice(1));
    if (step?.matches("details[data-step]")) step.open = true;
  }
  addEventListener("hashchange", openNamed);
  document.addEventListener("change", (event) => event.target.closest("form[data-roles]")?.requestSubmit());
  openNamed();
  loadOpen();
})();

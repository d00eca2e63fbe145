"use strict";
// Forms marked data-live are asked again while they are changed; the answer takes the place of #result.
(() => {
  let running = null;
  let waiting = 0;

  async function swap(url, remember) {
    const result = document.getElementById("result");
    running?.abort();
    const request = (running = new AbortController());
    result.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url, { headers: { "X-Fragment": "1" }, signal: request.signal });
      const text = await response.text();
      if (!response.headers.get("Content-Type")?.startsWith("text/html")) throw new Error(text);
      result.innerHTML = text;
      if (remember) history.replaceState(null, "", url);
      document.dispatchEvent(new Event("swapped"));
    } catch (error) {
      if (error.name === "AbortError") return;
      say(result, error instanceof TypeError ? "The program behind this page has stopped." : error.message);
    }
    if (running === request) result.removeAttribute("aria-busy");
  }

  function say(result, text) {
    const line = document.createElement("p");
    line.className = "error";
    line.setAttribute("role", "alert");
    line.textContent = text;
    result.replaceChildren(line);
  }

  function address(form) {
    const query = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...query]) if (value === "" && !form.elements[name].required) query.delete(name);
    return `${form.getAttribute("action") || location.pathname}?${query}`;
  }

  function pair(range) {
    const number = document.getElementById(range.dataset.for);
    range.hidden = false;
    range.addEventListener("input", () => { number.value = range.value; });
    number.addEventListener("input", () => { range.value = number.value; });
  }

  // An answer may say how far a control goes from now on.
  function limit(data) {
    const range = document.querySelector(`input[data-for="${data.dataset.mostOf}"]`);
    range.max = document.getElementById(range.dataset.for).max = data.value;
    range.value = document.getElementById(range.dataset.for).value;
  }

  document.addEventListener("swapped", () => document.querySelectorAll("data[data-most-of]").forEach(limit));
  document.querySelectorAll("input[data-for]").forEach(pair);
  document.querySelectorAll("form[data-live]").forEach((form) => {
    const ask = (whole) => (whole ? location.assign(address(form)) : swap(address(form), true));
    form.addEventListener("input", (event) => {
      if (event.target.closest("[data-whole]")) return;
      clearTimeout(waiting);
      waiting = setTimeout(ask, 40);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(event.submitter?.closest("[data-whole]"));
    });
  });

  document.querySelectorAll("form[data-drop]").forEach((form) => {
    const input = form.querySelector("input[type=file]");
    const send = () => {
      const file = input.files[0];
      if (!file) return;
      const most = Number(input.dataset.mostBytes);
      if (file.size > most) {
        say(document.getElementById("result"), `${file.name} is larger than ${most / 2 ** 20} MB, the most that is taken here; use the command instead.`);
        return;
      }
      form.requestSubmit();
    };
    input.addEventListener("change", send);
    form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      input.files = event.dataTransfer.files;
      send();
    });
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim()).then(() => {
      button.textContent = "Copied";
    });
  });
})();

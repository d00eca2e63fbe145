"use strict";
// A form marked data-live is submitted again whenever it changes; the response replaces #result.
(() => {
  const PATIENCE = 150; // milliseconds that an answer has before a newer question takes its place
  const REST = 120; // milliseconds without a move, after which pictures and later parts follow the numbers
  let pending = null;
  let asked = 0;
  let wanted = "";
  let timer = 0;
  let working = 0;
  let resting = 0;

  // One question at a time: what a control passes on its way is left out, and where it is now is asked next.
  function ask(url) {
    wanted = url;
    clearTimeout(timer);
    clearTimeout(resting);
    if (pending) timer = setTimeout(askNow, Math.max(0, asked + PATIENCE - performance.now()));
    else askNow();
  }

  function askNow() {
    const url = wanted;
    wanted = "";
    clearTimeout(timer);
    if (url) replaceResult(url);
  }

  async function replaceResult(url) {
    const result = document.getElementById("result");
    pending?.abort();
    const request = (pending = new AbortController());
    asked = performance.now();
    result.setAttribute("aria-busy", "true");
    showProgress("Computing …");
    try {
      const response = await fetch(url, { headers: { "X-Fragment": "1" }, signal: request.signal });
      const text = await response.text();
      if (!response.headers.get("Content-Type")?.startsWith("text/html")) throw new Error(text);
      replaceContent(result, text);
      history.replaceState(null, "", url);
      document.dispatchEvent(new Event("result-replaced"));
    } catch (error) {
      if (error.name === "AbortError") return;
      showError(result, error instanceof TypeError ? "The server of this page has stopped." : error.message);
    }
    if (pending !== request) return;
    pending = null;
    result.removeAttribute("aria-busy");
    endProgress();
    askNow();
  }

  // Folds stay open, and a picture is seen until the controls rest and the next one is there.
  function replaceContent(result, text) {
    const next = document.createElement("template");
    next.innerHTML = text;
    for (const fold of result.querySelectorAll("details[id][open]")) next.content.getElementById(fold.id)?.setAttribute("open", "");
    for (const part of next.content.querySelectorAll("[data-later]")) part.replaceChildren(...(document.getElementById(part.id)?.childNodes ?? []));
    const pictures = new Map();
    for (const shown of result.querySelectorAll("img[data-picture]")) {
      const picture = next.content.querySelector(`img[data-picture="${shown.dataset.picture}"]`);
      if (!picture) continue;
      Object.assign(shown.dataset, { next: picture.src, nextAlt: picture.alt });
      picture.removeAttribute("src");
      pictures.set(picture, shown);
    }
    result.replaceChildren(next.content);
    for (const [picture, shown] of pictures) picture.replaceWith(shown); // within the document, or it would load once more
  }

  function showNext(picture) {
    const { next, nextAlt } = picture.dataset;
    if (picture.src !== next) picture.src = next;
    picture.alt = nextAlt;
    delete picture.dataset.next;
    delete picture.dataset.nextAlt;
  }

  // A part that takes longer is asked for when the controls rest; until then it shows what it did.
  async function replacePart(part) {
    try {
      const response = await fetch(part.dataset.later, { headers: { "X-Fragment": "1" } });
      const text = await response.text();
      if (!part.isConnected) return;
      if (!response.ok) throw new Error("This part could not be computed; reload the page to try again.");
      replaceContent(part, text);
      part.querySelectorAll("img[data-next]").forEach(showNext);
    } catch (error) {
      showError(part, error instanceof TypeError ? "The server of this page has stopped." : error.message);
    }
    part.removeAttribute("aria-busy");
    measureTables();
  }

  function loadLater() {
    clearTimeout(resting);
    resting = setTimeout(() => {
      document.querySelectorAll("#result img[data-next]").forEach(showNext);
      document.querySelectorAll("#result > [data-later]").forEach(replacePart);
    }, REST);
  }

  function showError(result, text) {
    const line = document.createElement("p");
    line.className = "error";
    line.setAttribute("role", "alert");
    line.textContent = text;
    result.replaceChildren(line);
    const summary = document.getElementById("summary");
    if (summary && result.id === "result") summary.textContent = text;
  }

  function addressOf(form) {
    const query = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...query]) if (value === "" && !form.elements[name].required) query.delete(name);
    return `${form.getAttribute("action") || location.pathname}?${query}`;
  }

  // A range with stops moves from one of these numbers to the next; its text is the number, not the place.
  function pair(range) {
    const number = document.getElementById(range.dataset.for);
    const stops = range.dataset.stops?.split(" ");
    const ends = range.dataset.ends?.split(", ");
    const nearest = () => stops.reduce((best, stop, place) => (Math.abs(stop - number.value) < Math.abs(stops[best] - number.value) ? place : best), 0);
    const tell = () => {
      const end = [stops[0], stops.at(-1)].findIndex((stop) => number.value !== "" && Number(stop) === Number(number.value));
      range.setAttribute("aria-valuetext", end < 0 ? number.value : `${number.value}, ${ends[end]}`);
    };
    const follow = () => {
      range.value = stops ? nearest() : number.value;
      if (stops) tell();
    };
    range.addEventListener("input", () => {
      number.value = stops ? stops[range.value] : range.value;
      if (stops) tell();
    });
    number.addEventListener("input", follow);
    if (stops) follow();
  }

  // A response may set the new maximum of a control.
  function setMaximum(data) {
    const range = document.querySelector(`input[data-for="${data.dataset.maxOf}"]`);
    range.max = document.getElementById(range.dataset.for).max = data.value;
    range.value = document.getElementById(range.dataset.for).value;
  }

  // A response may set the text of an element elsewhere: a note on a control, or the summary in one line.
  function setText(data) {
    const element = document.getElementById(data.dataset.textOf);
    if (element.textContent !== data.value) element.textContent = data.value;
  }

  // Tables that are wider than their place say so.
  function measureTables() {
    document.querySelectorAll(".scroll").forEach((table) => table.toggleAttribute("data-wide", table.scrollWidth > table.clientWidth + 1));
  }

  // What goes on is said if it takes longer than the blink of an eye.
  function showProgress(text, delay = 400) {
    clearTimeout(working);
    working = setTimeout(() => {
      const [line, bar] = [document.createElement("span"), document.createElement("progress")];
      line.textContent = text;
      bar.setAttribute("aria-label", text);
      document.getElementById("progress").replaceChildren(line, bar);
    }, delay);
  }

  function endProgress() {
    clearTimeout(working);
    document.getElementById("progress").replaceChildren();
  }

  document.addEventListener("result-replaced", () => {
    document.querySelectorAll("data[data-max-of]").forEach(setMaximum);
    document.querySelectorAll("data[data-text-of]").forEach(setText);
    measureTables();
    loadLater();
  });
  document.querySelectorAll("input[data-for]").forEach(pair);
  measureTables();
  addEventListener("resize", measureTables);
  document.addEventListener("part-replaced", measureTables);
  addEventListener("pageshow", endProgress);
  document.querySelectorAll("form[data-live]").forEach((form) => {
    const submit = (whole) => (whole ? location.assign(addressOf(form)) : ask(addressOf(form)));
    form.addEventListener("input", (event) => {
      if (!event.target.closest("[data-whole]")) submit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(event.submitter?.closest("[data-whole]"));
    });
  });

  document.querySelectorAll("form[data-drop]").forEach((form) => {
    const input = form.querySelector("input[type=file]");
    const send = () => {
      const file = input.files[0];
      if (!file) return;
      const maxBytes = Number(input.dataset.maxBytes);
      if (file.size > maxBytes) {
        showError(document.getElementById("result"), `${file.name} is larger than ${maxBytes / 2 ** 20} MB, the largest size accepted here; use the command instead.`);
        return;
      }
      form.requestSubmit();
    };
    form.addEventListener("submit", () => showProgress(`Reading ${[...form.querySelectorAll("input[type=file]")].flatMap((one) => [...one.files]).map((file) => file.name).join(" and ") || "the file"} …`, 100));
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

// The theme's buttons that unfold a part of the table of contents have only a picture: they are named after their page.
document.addEventListener("DOMContentLoaded", () => {
  for (const toggle of document.querySelectorAll("nav li.has-children > details > summary")) {
    const page = toggle.closest("li").querySelector(":scope > a");
    toggle.setAttribute("aria-label", `Pages of ${page.textContent.trim()}`);
  }
});


"use strict";
(() => {
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const articles = Array.from(document.querySelectorAll("article")).map((element) => ({
    element,
    link: Array.from(document.querySelectorAll("nav li")).find((li) => li.dataset.for === element.id),
    text: element.textContent.toLowerCase(),
  }));
  function search() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const article of articles) {
      const hit = words.every((word) => article.text.includes(word));
      article.element.hidden = !hit;
      if (article.link) article.link.hidden = !hit;
      if (hit) n++;
    }
    found.textContent = words.length ? n + " of " + articles.length : "";
  }
  query.addEventListener("input", search);
  query.form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    }
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
})();

// The theme makes these elements in the browser: scroll regions get the focus, landmarks a name.
const mend = () => {
  document.querySelectorAll(".md-typeset__scrollwrap, .formula").forEach((wrap) => {
    const scrolls = wrap.scrollWidth > wrap.clientWidth;
    const word = wrap.matches(".formula") ? "Formula" : "Table";
    for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", word]]) {
      if (scrolls) wrap.setAttribute(name, value);
      else wrap.removeAttribute(name);
    }
  });
  // A button to copy is no landmark.
  document.querySelectorAll(".md-code__nav:not([role])").forEach((nav) => nav.setAttribute("role", "none"));
};

// Each heading of a table of contents is called a landmark there; the table itself is one.
document.querySelectorAll(".md-nav--secondary .md-nav").forEach((nav) => {
  nav.removeAttribute("aria-label");
  nav.setAttribute("role", "none");
});

// The label of a section that has a page of its own is an arrow, without a word.
document.querySelectorAll(".md-nav[aria-labelledby]").forEach((nav) => {
  const label = document.getElementById(nav.getAttribute("aria-labelledby"));
  if (label?.textContent.trim()) return;
  nav.removeAttribute("aria-labelledby");
  nav.setAttribute("aria-label", nav.querySelector(".md-nav__title").textContent.trim());
});

// The page to play on has the theme of the page that it is in, which has a switch of its own.
const frame = document.querySelector(".hero iframe");
if (frame) {
  const tell = () => {
    const dark = document.body.dataset.mdColorScheme === "slate";
    frame.contentWindow.postMessage(dark ? "dark" : "light", "*");
  };
  frame.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  tell();
}

// What is copied from a console block are its commands, without the prompts and what they print.
document.querySelectorAll(".language-console").forEach((block) => {
  const lines = block.textContent.split("\n").filter((line) => /^[$>] /.test(line));
  block.dataset.copy = lines.map((line) => line.slice(2)).join("\n");
});

// The reference of Python was one page once: its anchors lead to the pages that have them now.
if (location.pathname.endsWith("/reference/api.html") && location.hash) {
  const moved = (link) => link.hash === location.hash && link.pathname !== location.pathname;
  const link = [...document.querySelectorAll("td a")].find(moved);
  if (link) location.replace(link.href);
}

// A missing page is searched for by the words of its address.
const missing = document.querySelector(".missing input");
if (missing) missing.value = location.pathname.split("/").at(-1).replace(/\.\w+$/, "").replace(/\W|_/g, " ");

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", mend);
mend();

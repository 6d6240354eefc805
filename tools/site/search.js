// The search of the site. search-index.js holds SEARCH, the list of [page, section, address, text]. It is loaded by a
// script element when the reader first uses the search, so it also works for files that no server delivers.
"use strict";

const MOST_RESULTS = 40;
const field = document.getElementById("search");
const panel = document.getElementById("results");

let script;  // the element that loads the list

function load(then) {
  if (typeof SEARCH !== "undefined") return then();
  if (!script) {
    script = document.createElement("script");
    script.src = "search-index.js";
    document.head.append(script);
  }
  script.onload = then;
}

// The rank of an entry for words in lower case; 0: some word is missing.
function rank([page, section, , text], words) {
  const title = section.toLowerCase(), all = `${page} ${section} ${text}`.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (!all.includes(word)) return 0;
    if (title === word || title === `${word}()`) sum += 100;
    else if (title.startsWith(word)) sum += 30;
    else if (title.includes(word)) sum += 20;
    else if (page.toLowerCase().includes(word)) sum += 5;
    sum += Math.min(4, all.split(word).length - 1);
  }
  return sum;
}

function find(words) {
  return SEARCH.map(entry => ({entry, points: rank(entry, words)})).filter(found => found.points > 0)
    .sort((a, b) => b.points - a.points).slice(0, MOST_RESULTS);
}

// Appends the text around the first word, with all words marked.
function appendExcerpt(parent, text, words) {
  const first = Math.max(0, Math.min(...words.map(word => (text.toLowerCase().indexOf(word) + 1 || 1) - 1)) - 60);
  const part = (first ? "... " : "") + text.slice(first, first + 200) + (text.length > first + 200 ? " ..." : "");
  const pattern = new RegExp(`(${words.map(word => word.replace(/[^\w]/g, "\\$&")).join("|")})`, "i");
  part.split(pattern).forEach((piece, i) => {
    const node = document.createElement(i % 2 ? "mark" : "span");
    node.textContent = piece;
    parent.append(node);
  });
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
  panel.replaceChildren();
  panel.hidden = words.length === 0;
  if (panel.hidden) return;
  const found = find(words);
  if (!found.length) panel.textContent = `Nothing has the words: ${words.join(" ")}`;
  for (const {entry: [page, section, address, text]} of found) {
    const link = document.createElement("a"), title = document.createElement("b"), rest = document.createElement("p");
    link.href = address;
    title.textContent = page === section ? page : `${section} — ${page}`;
    appendExcerpt(rest, text, words);
    link.append(title, rest);
    panel.append(link);
  }
}

field.addEventListener("input", () => load(show));
field.addEventListener("focus", () => load(show));
panel.addEventListener("click", () => { panel.hidden = true; });
document.addEventListener("keydown", event => {
  if (event.key === "Escape") panel.hidden = true;
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Enter" && document.activeElement === field && !panel.hidden) panel.querySelector("a")?.click();
});

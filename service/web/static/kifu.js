// What every page has: the choice of language and of light or dark, remembered in cookies.

const ICONS = new URL("icons.svg", import.meta.url).pathname;
const THEMES = ["auto", "light", "dark"];
const YEAR_S = 31_536_000;
const root = document.documentElement;

function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${value ? YEAR_S : 0}; samesite=lax`;
}

for (const link of document.querySelectorAll("[data-language]")) {
  link.addEventListener("click", () => {
    const query = new URLSearchParams(location.search);
    query.set("lang", link.dataset.language);
    link.search = `?${query}`;
    link.hash = location.hash;
    remember("lang", link.dataset.language);
  });
}

const button = document.getElementById("theme");

function showTheme() {
  const theme = root.dataset.theme ?? "auto";
  button.setAttribute("aria-label", button.dataset[theme]);
  button.title = button.dataset[theme];
  button.querySelector("use").setAttribute("href", `${ICONS}#theme-${theme}`);
}

button.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "auto") + 1) % THEMES.length];
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  remember("theme", next === "auto" ? "" : next);
  showTheme();
});
button.hidden = false;
showTheme();

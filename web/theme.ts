/** Light or dark: what the viewer chose on the page, else what the system says. */

export type Theme = "light" | "dark";

const KEY = "edgeboard-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function currentTheme(): Theme {
  return stored() ?? (dark.matches ? "dark" : "light");
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = currentTheme();
}

/** Makes the button switch between light and dark, and the page follow the system until it was used. */
export function bindTheme(button: HTMLButtonElement): void {
  const label = (): void => {
    applyTheme();
    button.setAttribute("aria-label", `Switch to ${other(currentTheme())} colours`);
  };
  button.addEventListener("click", () => {
    store(other(currentTheme()));
    label();
  });
  dark.addEventListener("change", label);
  label();
}

function other(theme: Theme): Theme {
  return theme === "dark" ? "light" : "dark";
}

/** Storage can be forbidden; then the choice lasts until the page is left. */
function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    document.documentElement.dataset["theme"] = theme;
  }
}

import { useSyncExternalStore } from "react";
import { watchers } from "../ui/hooks/watchers.ts";

export type Theme = "light" | "dark" | "system";

const NAME = "guildhall.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const { watch, tell } = watchers();

function chosen(): Theme {
  const kept = localStorage.getItem(NAME);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function applyTheme(): void {
  const theme = chosen();
  const isDark = theme === "dark" || (theme === "system" && system.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  tell();
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, theme);
  applyTheme();
}

export function useTheme(): Theme {
  return useSyncExternalStore(watch, chosen);
}

system.addEventListener("change", applyTheme);
addEventListener("storage", ({ key }) => {
  if (key === NAME) applyTheme();
});

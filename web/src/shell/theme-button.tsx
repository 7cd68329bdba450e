import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../ui/button.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

export function ThemeButton() {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${theme}. Change to ${NEXT[theme]}`} onClick={() => chooseTheme(NEXT[theme])}>
      <Icon size={16} />
    </IconButton>
  );
}

import { Link } from "@tanstack/react-router";
import { UNDER_MORE } from "../../shell/nav.tsx";
import { showPanel } from "../../shell/panels.ts";
import { chooseTheme, type Theme, useTheme } from "../../shell/theme.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";

const close = () => showPanel(undefined);

/** On a phone: the pages that have no place in the bar at the bottom. */
export default function More() {
  const theme = useTheme();
  return (
    <Dialog title="More" onClose={close}>
      <nav aria-label="More pages" className="flex flex-col">
        {UNDER_MORE.map(({ to, name, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            onClick={close}
            className="flex items-center gap-3 rounded-md px-2 py-2.5 hover:bg-sunk aria-[current=page]:font-medium aria-[current=page]:text-accent"
          >
            <Icon size={18} aria-hidden />
            {name}
          </Link>
        ))}
      </nav>
      <div className="mt-3 border-t border-line pt-3">
        <SelectField label="Theme" value={theme} onChange={({ target }) => chooseTheme(target.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </SelectField>
      </div>
    </Dialog>
  );
}

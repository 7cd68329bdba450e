import { Link, Outlet } from "@tanstack/react-router";
import { useProjectId } from "./project-id.ts";
import { LIBRARY, SETTINGS } from "./sections.ts";

type Entry = (typeof LIBRARY | typeof SETTINGS)[number];

const look =
  "shrink-0 rounded-md px-2.5 py-1 text-sm whitespace-nowrap text-faint hover:bg-sunk hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent";

/** The parts of one tab: memory, knowledge and so on of the library. */
function SubTabs({ label, entries }: { label: string; entries: readonly Entry[] }) {
  const id = useProjectId();
  return (
    <>
      <nav aria-label={label} className="-mx-4 flex gap-1 overflow-x-auto px-4 sm:-mx-6 sm:px-6">
        {entries.map(({ to, name }) => (
          <Link key={to} to={to} params={{ id }} activeOptions={{ exact: true, includeSearch: false }} className={look}>
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

export function LibraryTab() {
  return <SubTabs label="Library" entries={LIBRARY} />;
}

export function SettingsTab() {
  return <SubTabs label="Settings" entries={SETTINGS} />;
}

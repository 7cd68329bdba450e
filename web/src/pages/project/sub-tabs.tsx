import { Link, Outlet } from "@tanstack/react-router";
import { SubTabs, subTabLook } from "../../ui/sub-tabs.tsx";
import { useProjectId } from "./project-id.ts";
import { LIBRARY, SETTINGS, WORK } from "./sections.ts";

type Entry = (typeof LIBRARY | typeof SETTINGS | typeof WORK)[number];

/** The parts of one tab: memory, knowledge and so on of the library. */
function Parts({ label, entries }: { label: string; entries: readonly Entry[] }) {
  const id = useProjectId();
  return (
    <>
      <SubTabs label={label}>
        {entries.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            params={{ id }}
            activeOptions={{ exact: true, includeSearch: false }}
            className={subTabLook}
          >
            {name}
          </Link>
        ))}
      </SubTabs>
      <Outlet />
    </>
  );
}

export function LibraryTab() {
  return <Parts label="Library" entries={LIBRARY} />;
}

export function WorkTab() {
  return <Parts label="Work" entries={WORK} />;
}

export function SettingsTab() {
  return <Parts label="Settings" entries={SETTINGS} />;
}

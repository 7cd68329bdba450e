import { Link, linkOptions } from "@tanstack/react-router";
import { SubTabs, subTabLook } from "../../ui/sub-tabs.tsx";

/** The pages of Settings. */
export const SETTINGS_PARTS = linkOptions([
  { to: "/settings", name: "General" },
  { to: "/settings/permissions", name: "Permissions" },
  { to: "/settings/hooks", name: "Hooks" },
  { to: "/settings/triggers", name: "Triggers" },
  { to: "/settings/orchestrator", name: "Orchestrator" },
  { to: "/settings/gates", name: "Quality gates" },
]);

export function SettingsTabs() {
  return (
    <SubTabs label="Settings">
      {SETTINGS_PARTS.map(({ to, name }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={subTabLook}>
          {name}
        </Link>
      ))}
    </SubTabs>
  );
}

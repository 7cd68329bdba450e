import { Link, linkOptions } from "@tanstack/react-router";
import { SubTabs, subTabLook } from "../../ui/sub-tabs.tsx";

const PARTS = linkOptions([
  { to: "/settings", name: "General" },
  { to: "/settings/permissions", name: "Permissions" },
  { to: "/settings/hooks", name: "Hooks" },
]);

export function SettingsTabs() {
  return (
    <SubTabs label="Settings">
      {PARTS.map(({ to, name }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={subTabLook}>
          {name}
        </Link>
      ))}
    </SubTabs>
  );
}

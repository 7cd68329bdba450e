import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";

export interface SettingGroup {
  name: string;
  settings: Setting[];
}

/** Settings that match, by the first part of their key, in the order in which they came. */
export function settingGroups(
  settings: readonly Setting[],
  { wanted, onlySet }: { wanted: string; onlySet: boolean },
): SettingGroup[] {
  const words = wanted.toLowerCase().split(/\s+/);
  const shown = settings.filter(({ key, about, set }) => {
    const text = `${key} ${about}`.toLowerCase();
    return (set || !onlySet) && words.every((word) => text.includes(word));
  });
  const groups = Map.groupBy(shown, ({ key }) => key.split(".")[0] ?? key);
  return [...groups].map(([name, rows]) => ({ name, settings: rows }));
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

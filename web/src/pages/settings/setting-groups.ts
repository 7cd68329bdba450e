import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";

export interface SettingGroup {
  name: string;
  settings: Setting[];
}

const TITLES: Readonly<Record<string, string>> = {
  server: "Server",
  providers: "Providers",
  models: "Models",
  agentTeams: "Teams and quality gates",
  main: "Main agent",
  limits: "Limits",
  budget: "Budget",
  projects: "Projects",
  memory: "Memory",
  knowledge: "Knowledge",
  checkpoints: "Checkpoints",
  git: "Git",
  review: "Review",
  controlFiles: "Protected files",
  channels: "Telegram",
  notify: "Webhook and Slack",
  briefing: "Briefing",
  heartbeat: "Heartbeat",
  orchestrator: "Orchestrator",
  escalations: "Inbox",
  web: "Web access",
};

/** Settings that match, by the first part of their key, in the order in which they came. */
export function settingGroups(
  settings: readonly Setting[],
  { wanted, onlySet }: { wanted: string; onlySet: boolean },
): SettingGroup[] {
  const words = wanted.toLowerCase().split(/\s+/);
  const shown = settings.filter(({ key, about, set, editable }) => {
    const text = `${key} ${about}`.toLowerCase();
    return editable && (set || !onlySet) && words.every((word) => text.includes(word));
  });
  const groups = Map.groupBy(shown, ({ key }) => key.split(".")[0] ?? key);
  return [...groups].map(([name, rows]) => ({ name: TITLES[name] ?? name, settings: rows }));
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Settings that are edited in one form: those of a section together, each other one by itself. */
export function editedTogether(settings: readonly Setting[]): Setting[][] {
  return [...Map.groupBy(settings, ({ key, section }) => section ?? key).values()];
}

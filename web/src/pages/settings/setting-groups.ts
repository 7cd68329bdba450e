import type { Setting, SettingForm } from "../../../../src/contract/routes/settings-routes.ts";

export interface SettingGroup {
  name: string;
  settings: Setting[];
}

const TITLES: Readonly<Record<string, string>> = {
  server: "Server",
  models: "Models",
  agentTeams: "Team models",
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
  notify: "Webhook",
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

/** A value as it is edited. */
export function draftOf({ kind }: SettingForm, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "data") return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** The value of what was typed, or why it is none. */
export function typedValue(form: SettingForm, typed: string): { value: unknown } | { problem: string } {
  const text = typed.trim();
  switch (form.kind) {
    case "switch":
      return { value: text === "true" };
    case "text":
    case "choice":
      return text === "" ? { problem: "Enter a value, or reset the setting." } : { value: text };
    case "number":
      return numberOf(form, text);
    case "list":
      return listOf(form, text);
    case "data":
      return dataOf(text);
  }
}

function numberOf({ nullable, whole, min, max }: SettingForm, text: string): { value: unknown } | { problem: string } {
  if (text === "") return nullable === true ? { value: null } : { problem: "Enter a number." };
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "Enter a number." };
  if (whole === true && !Number.isInteger(value)) return { problem: "Enter a whole number." };
  if (min !== undefined && value < min) return { problem: `Enter at least ${min}.` };
  if (max !== undefined && value > max) return { problem: `Enter at most ${max}.` };
  return { value };
}

function listOf({ numbers }: SettingForm, text: string): { value: unknown } | { problem: string } {
  const items = text.split(/[,\n]/).map((item) => item.trim());
  const filled = items.filter((item) => item !== "");
  if (numbers !== true) return { value: filled };
  const values = filled.map(Number);
  return values.every(Number.isInteger) ? { value: values } : { problem: "Enter whole numbers, separated by commas." };
}

function dataOf(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "Enter valid JSON." };
  }
}

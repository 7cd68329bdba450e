import type { Setting, SettingForm } from "../../../../src/contract/routes/settings-routes.ts";

/** By key, as typed. */
export type Drafts = Readonly<Record<string, string>>;
export type SettingsChange = { set: Record<string, unknown>; reset: string[] };

/** What the form starts with. What is shown of a hidden value must not be sent back. */
export function draftsOf(settings: readonly Setting[]): Drafts {
  const isAlone = settings.length === 1;
  return Object.fromEntries(
    settings.map(({ key, form, value, set }) => {
      const isEmpty = key === "notify.url" || key === "notify.slackUrl" || (!isAlone && !set);
      return [key, isEmpty ? "" : draftOf(form, value)];
    }),
  );
}

/** What to save, or by key what is wrong. In a section, an empty field removes the setting. */
export function changeOf(
  settings: readonly Setting[],
  drafts: Drafts,
): { change: SettingsChange } | { problems: Drafts } {
  const change: SettingsChange = { set: {}, reset: [] };
  const problems: Record<string, string> = {};
  const before = draftsOf(settings);
  const isAlone = settings.length === 1;
  for (const { key, form, set } of settings) {
    const typed = drafts[key] ?? "";
    if (!isAlone && typed === before[key]) continue;
    if (!isAlone && typed.trim() === "") {
      if (set) change.reset.push(key);
      continue;
    }
    const read = typedValue(form, typed);
    if ("problem" in read) problems[key] = read.problem;
    else change.set[key] = read.value;
  }
  return Object.keys(problems).length > 0 ? { problems } : { change };
}

/** A value as it is edited. */
function draftOf({ kind }: SettingForm, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "data") return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** The value of what was typed, or why it is none. */
function typedValue(form: SettingForm, typed: string): { value: unknown } | { problem: string } {
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

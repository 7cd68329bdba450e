import type { LucideIcon } from "lucide-react";
import { bestFitting } from "./fuzzy.ts";

/** Something that can be chosen in the palette. */
export interface Choice {
  id: string;
  group: string;
  title: string;
  detail?: string | undefined;
  /** Found by these words too. */
  words?: string | undefined;
  keys?: string | undefined;
  icon: LucideIcon;
  /** Asked before it is done. */
  confirm?: { action: string; what: string } | undefined;
  /** Not worth going back to. */
  isPassing?: boolean | undefined;
  act: () => void;
}

export interface ChoiceGroup {
  title: string;
  choices: Choice[];
}

const MOST_RECENT = 5;
const MOST_AT_FIRST: Record<string, number> = { Projects: 6, Roles: 0, Runs: 5, Teams: 5 };
const MOST_FITTING = 6;

/** What is shown before anything is typed: what was chosen lately, then the rest as it comes. */
export function choicesAtFirst(choices: readonly Choice[], recent: readonly string[]): ChoiceGroup[] {
  const lately = recent.flatMap((id) => choices.find((choice) => choice.id === id) ?? []).slice(0, MOST_RECENT);
  const rest = choices.filter((choice) => !lately.includes(choice));
  const groups = grouped(rest).map(({ title, choices: all }) => ({
    title,
    choices: all.slice(0, MOST_AT_FIRST[title] ?? all.length),
  }));
  return [{ title: "Recent", choices: lately }, ...groups].filter(({ choices: all }) => all.length > 0);
}

/** What fits the typed text, the group with the best choice first. */
export function choicesFor(typed: string, choices: readonly Choice[]): ChoiceGroup[] {
  const fitting = bestFitting(typed, choices, ({ title, detail, words }) =>
    [title, detail, words].filter((text) => text !== undefined).join(" "),
  );
  return grouped(fitting.map(({ item }) => item)).map(({ title, choices: all }) => ({
    title,
    choices: all.slice(0, MOST_FITTING),
  }));
}

function grouped(choices: readonly Choice[]): ChoiceGroup[] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const group = groups.get(choice.group);
    if (group === undefined) groups.set(choice.group, [choice]);
    else group.push(choice);
  }
  return [...groups].map(([title, all]) => ({ title, choices: all }));
}

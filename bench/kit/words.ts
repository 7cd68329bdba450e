import type { TaskCreate } from "../../src/contract/documents/task.ts";

/** In every second task or more; in a handful of tasks whatever the size; the beginning of many words. */
export const PROBES = { common: "system", second: "index", rare: "zanzibar", prefix: "con" } as const;

const FREQUENT =
  "the system must keep index of every project when a task is moved and then report what changed so that people can see it in list or search with server file test user error update request page role team board note event log build check".split(
    " ",
  );
const SYLLABLES =
  "ba con de fi gra ho in ju ka lo mar ne or pla qui re sta tu ver wi xe ya zo tion ment ing er al".split(" ");
const STATUSES = [
  "pending",
  "pending",
  "pending",
  "assigned",
  "blocked",
  "in-progress",
  "review",
  "done",
  "done",
  "cancelled",
] as const;
const TYPES = ["feature", "bug", "refactor", "test", "docs", "research"] as const;
const PRIORITIES = ["low", "medium", "medium", "high", "urgent"] as const;
const LABELS = ["api", "cli", "docs", "infra", "later", "ui"] as const;

export type Chance = () => number;

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function seededChance(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The words of task number `number`: a few are in every text, most of 4,000 others are seldom seen. */
export function wordsOfTask(
  chance: Chance,
  number: number,
  total: number,
): Pick<TaskCreate, "title" | "description" | "type" | "priority" | "status" | "labels"> {
  const isRare = number % Math.max(1, Math.floor(total / 7)) === 3;
  return {
    title: sentence(chance, 3 + Math.floor(chance() * 6)),
    description: `${sentence(chance, 20 + Math.floor(chance() * 20))}${isRare ? ` ${PROBES.rare}` : ""}.\n\n${sentence(chance, 10 + Math.floor(chance() * 30))}.`,
    type: pick(chance, TYPES),
    priority: pick(chance, PRIORITIES),
    status: pick(chance, STATUSES),
    labels: [...LABELS.filter(() => chance() < 0.2), ...(isRare ? [PROBES.rare] : [])],
  };
}

function sentence(chance: Chance, length: number): string {
  const text = Array.from({ length }, () => word(chance)).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Half of all words are from the short list, and there too the first are the most used. */
function word(chance: Chance): string {
  if (chance() < 0.5) return FREQUENT[Math.floor(chance() ** 2 * FREQUENT.length)] ?? "";
  const rank = Math.floor(chance() ** 2 * 4_000);
  const syllables = [rank % 28, Math.floor(rank / 28) % 28, Math.floor(rank / 143)].map(
    (at) => SYLLABLES[at % SYLLABLES.length],
  );
  return syllables.join("");
}

export function pick<Value>(chance: Chance, values: readonly Value[]): Value {
  return values[Math.floor(chance() * values.length)] as Value;
}

import { TaskPriorityInput } from "../../contract/documents/task.ts";
import { REQUIREMENT_ID, TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { CHECK_KINDS, type CheckKind, type SddMode, TEAM_LIMITS } from "../../contract/words/teams/team-words.ts";
import { commandWords } from "./command-words.ts";
import { Faults, type Fields, isRecord, linesOf, listOf, oneLine, type Read, refused } from "./reading.ts";

/** What the description of a fix has to say. */
const OF_A_FIX = ["current", "expected", "unchanged"] as const;

/** Reads a spec that a model sent. Ids of criteria are given here: `REQ-001.1` is the first of REQ-001. */
export function readSpec(value: unknown, { mode }: { mode: SddMode }): Read<TeamSpec> {
  if (!isRecord(value)) return refused("input: must be an object with title, goals and requirements");
  const faults = new Faults();
  const fix = Object.fromEntries(
    OF_A_FIX.flatMap((name) => (isGiven(value[name]) ? [[name, textOf(value[name])]] : [])),
  );
  if (mode === "bugfix") for (const name of OF_A_FIX) if (!(name in fix)) faults.add(name, "is required for a bug fix");
  const spec = {
    title: oneLine(value.title),
    goals: linesOf(value.goals),
    nonGoals: linesOf(value.nonGoals),
    requirements: requirementsIn(value.requirements, faults),
    risks: linesOf(value.risks),
    definitionOfDone: linesOf(value.definitionOfDone),
    ...fix,
  };
  const size = charactersIn(spec);
  if (size > TEAM_LIMITS.specCharacters)
    faults.add("input", `has ${size} characters; a spec has at most ${TEAM_LIMITS.specCharacters} (two pages)`);
  return faults.judge(TeamSpec, spec);
}

function requirementsIn(value: unknown, faults: Faults): unknown[] {
  const entries = listOf(value);
  if (entries.length === 0) faults.add("requirements", "must have at least one requirement");
  const seen = new Set<string>();
  return entries.map((entry, at) => {
    const path = `requirements.${at}`;
    if (!isRecord(entry)) {
      faults.add(path, "must be an object with id, text and acceptance");
      return entry;
    }
    const id = idOf(entry, at);
    if (!REQUIREMENT_ID.test(id)) faults.add(`${path}.id`, `'${id}' must look like REQ-001`);
    else if (seen.has(id)) faults.add(`${path}.id`, `${id} is used twice`);
    seen.add(id);
    return {
      id,
      text: oneLine(entry.text),
      priority: priorityOf(entry, path, faults),
      acceptance: acceptanceIn(entry, { id, path, faults }),
    };
  });
}

function idOf({ id }: Fields, at: number): string {
  return typeof id === "string" && id.trim() !== ""
    ? id.trim().toUpperCase()
    : `REQ-${String(at + 1).padStart(3, "0")}`;
}

function priorityOf({ priority }: Fields, path: string, faults: Faults): string {
  const read = TaskPriorityInput.safeParse(priority ?? "medium");
  if (!read.success) faults.add(`${path}.priority`, read.error.issues[0]?.message ?? "is unknown");
  return read.data ?? "medium";
}

interface Criteria {
  id: string;
  path: string;
  faults: Faults;
}

function acceptanceIn({ acceptance }: Fields, { id, path, faults }: Criteria): unknown[] {
  const entries = listOf(acceptance);
  if (entries.length === 0) faults.add(`${path}.acceptance`, "must have at least one criterion");
  return entries.map((entry, at) => {
    const where = `${path}.acceptance.${at}`;
    const numbered = { id: `${id}.${at + 1}` };
    if (typeof entry === "string") return { ...numbered, text: oneLine(entry), kind: "test" };
    if (!isRecord(entry)) {
      faults.add(where, "must be a text, or an object with text and check");
      return entry;
    }
    return { ...numbered, text: oneLine(entry.text), ...checkOf(entry, where, faults) };
  });
}

/** How a criterion is checked: named by `check`, which may have the command in it or beside it. */
function checkOf(entry: Fields, path: string, faults: Faults): { kind: CheckKind; command?: unknown[] } {
  const check = isRecord(entry.check) ? entry.check : { kind: entry.check ?? entry.kind };
  const given = (isRecord(entry.check) ? entry.check.command : undefined) ?? entry.command;
  const named = check.kind ?? (isGiven(given) ? "command" : "test");
  const kind = CHECK_KINDS.find((one) => one === named);
  if (kind === undefined) {
    faults.add(`${path}.check`, `must be ${CHECK_KINDS.join(", ")}`);
    return { kind: "test" };
  }
  if (kind !== "command") return { kind };
  if (!isGiven(given)) faults.add(`${path}.command`, "is required for the check 'command'");
  return { kind, command: commandOf(given, path, faults) };
}

function commandOf(given: unknown, path: string, faults: Faults): unknown[] {
  if (typeof given !== "string") return listOf(given);
  const read = commandWords(given);
  if ("words" in read) return read.words;
  faults.add(`${path}.command`, read.problem);
  return [];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join("\n") : value;
}

/** Of all texts together. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + charactersIn(one), 0);
}

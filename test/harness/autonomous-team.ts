import { expect } from "vitest";
import type { SpecEvolutionProposal, TeamAutonomy } from "../../src/contract/documents/teams/team-autonomy.ts";
import type { PauseReason } from "../../src/contract/words/teams/autonomy-words.ts";
import { hasEnded } from "../../src/contract/words/teams/team-words.ts";
import { eventually, type Hall } from "./daemon.ts";
import { writing } from "./repository.ts";
import { teamOf } from "./team-hall.ts";

/** A team that writes files; its requirement is met by the last of them. */
export interface Letters {
  name: string;
  /** What its member writes, and what each round of fixes writes. */
  writes: string;
  fixes?: string;
  /** The file that has to be there. */
  wanted: string;
  /** The files that have to be there by the spec that the lead proposes. */
  proposes?: string[];
  delayMs?: number;
  /** Its model refuses every call. */
  refuses?: boolean;
}

const isThere = (file: string) => ({ text: `${file} is there.`, check: "command", command: ["test", "-s", file] });
const specOf = (files: readonly string[]) => ({
  title: "Letters",
  goals: ["There are letters."],
  requirements: files.map((file, at) => ({
    ...{ id: `REQ-00${at + 1}`, text: `There must be a letter.`, acceptance: [isThere(file)] },
  })),
});

const goalOf = (name: string) => `Have ${name} letters`;
const titleOf = (name: string) => `Write the ${name} letter`;

/** The playbooks of such teams, for one hall. Names sort so that fixes come before the work that they fix. */
export function letterBooks(teams: readonly Letters[]): Record<string, string> {
  return Object.assign({}, ...teams.map(booksOf));
}

function booksOf({ name, writes, fixes, wanted, proposes, delayMs = 0, refuses }: Letters): Record<string, string> {
  const lead = (tool: string, input: object) =>
    JSON.stringify({ tool, when: goalOf(name), turns: [{ calls: [{ tool, input }] }] });
  const task = {
    ...{ key: "letter", title: titleOf(name), description: "Write it.", type: "feature", domain: "other" },
    ...{ requirements: ["REQ-001"], dependsOn: [], files: [writes] },
  };
  const work = (file: string, when: string) =>
    JSON.stringify({ ...JSON.parse(writing({ [file]: `${name}\n` }, { delayMs })), when });
  const refused = JSON.stringify({ when: titleOf(name), turns: [{ fail: { kind: "refused", times: 1_000 } }] });
  const spec = proposes === undefined ? {} : { spec: specOf(proposes) };
  return {
    [`a-spec-${name}`]: lead("submit_spec", specOf([wanted])),
    [`a-plan-${name}`]: lead("submit_plan", { tasks: [task] }),
    [`a-report-${name}`]: lead("submit_report", { summary: "Written." }),
    [`a-change-${name}`]: lead("submit_spec_change", { reason: "The letter has another name.", ...spec }),
    [`l-fix-${name}`]: work(fixes ?? wanted, `Fix ${titleOf(name)}`),
    [`m-work-${name}`]: refuses === true ? refused : work(writes, titleOf(name)),
  };
}

/** The fix of what no task was planned for. */
export const wholeBook = (file: string) =>
  JSON.stringify({ ...JSON.parse(writing({ [file]: "whole\n" })), when: "Fix the whole" });

export const orderOf = (name: string, autonomy: object = { mode: "smart" }) => ({ goal: goalOf(name), autonomy });

export async function autonomyIn(
  hall: Hall,
  id: string,
): Promise<{ autonomy: TeamAutonomy; proposals: SpecEvolutionProposal[] }> {
  return (await hall.call("GET", `/api/teams/${id}/autonomy`)).body;
}

export async function untilPaused(hall: Hall, id: string, reason: PauseReason): Promise<void> {
  const team = await eventually(
    () => teamOf(hall, id),
    ({ status }) => status === "paused" || hasEnded(status),
    240_000,
  );
  expect(team, JSON.stringify(team)).toMatchObject({ status: "paused", autonomy: { pauseReason: reason } });
}

export async function order(hall: Hall, id: string, what: "pause" | "resume" | "stop"): Promise<void> {
  const { status, body } = await hall.call("POST", `/api/teams/${id}/${what}`);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Types of the feed that tell of autonomy, with the phases in them. */
export async function feedOf(hall: Hall, id: string): Promise<string[]> {
  const { activity } = (await hall.call("GET", `/api/teams/${id}/activity`)).body;
  return activity.flatMap(({ type, data = {} }) => {
    if (type === "yolo-phase-changed") return [String(data.to)];
    return type.startsWith("yolo-") ? [type] : [];
  });
}

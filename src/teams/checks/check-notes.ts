import type { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import type { TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import { HallError } from "../../contract/errors.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { FINDING_SEVERITIES, findingPlace } from "../../contract/words/review-words.ts";
import type { MemoryEntry, MemoryWrite } from "../bus/shared-memory.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";

interface Parts {
  memory: {
    read(state: TeamState, keys: readonly string[]): MemoryEntry[];
    write(state: TeamState, entry: MemoryWrite): Promise<unknown>;
  };
  folder: { addWisdom(state: TeamState, note: { file: string; text: string; by: string }): Promise<void> };
  onTrouble: (what: string, error: unknown) => void;
}

export interface Noted {
  state: TeamState;
  task: TaskState;
  checks: TaskChecks;
  summary: string;
  returned: MemberReturn | undefined;
}

/** The shared memory is small; the artifact has the rest. */
const LONGEST = { summary: 300, line: 200 };
const MOST_DECISIONS = 5;
const MOST_ISSUES = 20;

/** Leaves what a member returned where the next one finds it. Doing it again changes nothing. */
export class CheckNotes {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What can't be noted, as in a memory that is full or can't be read, keeps no result from counting. */
  async keep(noted: Noted): Promise<void> {
    const { onTrouble } = this.#parts;
    try {
      await this.#remember(noted);
      await this.#writeWisdom(noted);
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      onTrouble(`the result of '${noted.task.plan.key}' could not be noted for team ${noted.state.document.id}`, error);
    }
  }

  async #remember(noted: Noted): Promise<void> {
    const { memory } = this.#parts;
    const { state, task } = noted;
    const key = `result:${task.plan.key}`;
    const [before] = memory.read(state, [key]);
    await memory.write(state, { key, value: memoryOf(noted), etag: before?.etag });
  }

  async #writeWisdom({ state, task, returned }: Noted): Promise<void> {
    const { folder } = this.#parts;
    const by = task.member ?? task.plan.key;
    for (const { file, text } of wisdomOf(returned)) await folder.addWisdom(state, { file, text, by });
  }
}

function memoryOf({ task, checks, summary, returned }: Noted): Record<string, unknown> {
  const { type, artifact, verdict, figures } = checks;
  const decisions = returned !== undefined && "keyDecisions" in returned ? returned.keyDecisions : [];
  const counts = returned?.type === "read-only" ? returned.severityCounts : undefined;
  return {
    ...{ title: task.plan.title, type, checks: verdict },
    ...(artifact === undefined ? {} : { artifact }),
    ...(task.member === undefined ? {} : { by: task.member }),
    summary: cutText(summary.trim(), LONGEST.summary),
    ...(decisions.length === 0 ? {} : { decisions: decisions.slice(0, MOST_DECISIONS).map(short) }),
    ...(counts === undefined ? {} : { findings: counts }),
    ...(figures === undefined ? {} : { figures }),
  };
}

/** Findings are issues, the worst first; what others should know, and what was decided, are insights. */
function wisdomOf(returned: MemberReturn | undefined): { file: string; text: string }[] {
  if (returned === undefined) return [];
  if (returned.type === "read-only")
    return FINDING_SEVERITIES.flatMap((severity) => returned.findings.filter((one) => one.severity === severity))
      .slice(0, MOST_ISSUES)
      .map((one) => ({
        file: "issues",
        text: `${one.severity}: ${`${findingPlace(one)} ${short(one.message)}`.trim()}`,
      }));
  if (returned.type === "validation")
    return returned.remainingFailures.slice(0, MOST_ISSUES).map((text) => ({ file: "issues", text: short(text) }));
  const insights = returned.type === "orchestration" ? returned.keyDecisions : [];
  return [
    ...insights.map((text) => ({ file: "insights", text: short(text) })),
    ...returned.warnings.map((text) => ({ file: "issues", text: short(text) })),
  ].slice(0, MOST_ISSUES);
}

function short(text: string): string {
  return cutText(text, LONGEST.line);
}

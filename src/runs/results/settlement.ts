import { planIn } from "../../agent/journal-entries.ts";
import { timeTaken } from "../../agent/run-time.ts";
import { REHEARSED } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { JournalEntry, RecordedEnd } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { RunReview } from "../../contract/runs/run-review.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { findingPlace, VERDICT_WORDS } from "../../contract/words/review-words.ts";
import type { Gathering, Member } from "../../store/changes/gathering.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectPaths } from "../../workspace/layout.ts";
import { blockLock } from "../../workspace/tasks/block-lock.ts";
import type { Workplaces } from "../git/workplaces.ts";
import { assigneeOf } from "../plan/assigned-task.ts";
import type { RunBook } from "../record/run-book.ts";
import { actorOf } from "../record/run-events.ts";
import type { FolderResults } from "./folder-results.ts";
import { decide, unchangedOf } from "./lifecycle.ts";
import type { ResultPolicy } from "./lifecycle-events.ts";
import { returnResult } from "./returned-result.ts";
import { completionOf, taskResultOf, writable } from "./task-result.ts";
import type { WorkLog } from "./work-log.ts";

/** A file much larger cannot be read any more; the journal has every word. */
const LONGEST_ARTIFACT = 4_000_000;

interface Parts {
  core: Core;
  hall: Hall;
  book: Pick<RunBook, "returned">;
  workplaces: Pick<Workplaces, "settle">;
  folders: Pick<FolderResults, "settle">;
  workLog: Pick<WorkLog, "add">;
  policyOf: (run: Run) => ResultPolicy;
  /** Whether a task without completion notes gets those of its run. */
  fillsNotes: (run: Run) => boolean;
}

interface Finish {
  end: RecordedEnd;
  entries: readonly JournalEntry[];
  /** Where the journal lies, relative to the workspace. */
  journal: string;
  /** Who had it stopped, if somebody did. */
  stoppedBy?: Actor | undefined;
  /** Resolves when the journal is durable; nothing is logged before. */
  journaled: Promise<void>;
}

type Left = Omit<Finish, "journaled">;

interface Closing extends Pick<Finish, "stoppedBy"> {
  /** Whose result it gave back. */
  before: Run | undefined;
  /** Keys of the criteria that it was to report on. */
  planned: readonly string[] | undefined;
}

interface Settled {
  /** Says which artifacts were left out when the gathering is complete. */
  settled: Run;
  /** Resolves when all that the run leaves behind is durable, which it is not before the gathering has ended. */
  written: Promise<unknown>;
}

/** What a finished run leaves behind. Every step may be done again after a crash without doing it twice. */
export class Settlement {
  readonly #core: Core;
  readonly #hall: Hall;
  readonly #book: Parts["book"];
  readonly #workplaces: Pick<Workplaces, "settle">;
  readonly #folders: Pick<FolderResults, "settle">;
  readonly #workLog: Pick<WorkLog, "add">;
  readonly #policyOf: Parts["policyOf"];
  readonly #fillsNotes: Parts["fillsNotes"];

  constructor({ core, hall, book, workplaces, folders, workLog, policyOf, fillsNotes }: Parts) {
    this.#core = core;
    this.#hall = hall;
    this.#book = book;
    this.#workplaces = workplaces;
    this.#folders = folders;
    this.#workLog = workLog;
    this.#policyOf = policyOf;
    this.#fillsNotes = fillsNotes;
  }

  /**
   * The run as it will stand in the book, when its artifact, its task and the project's memory are about to be written; they
   * become durable with what the gathering ends with.
   */
  async settle(run: Run, { end: said, journaled, ...finish }: Finish, gathering: Gathering): Promise<Settled> {
    const git = await this.#workplaces.settle(run, said);
    const submitted = git?.delivery ?? (await this.#folders.settle(run, said));
    const end = withRehearsal(withReview(withFiles(said, git?.files), run), run, finish.entries);
    const delivery = end.result?.outcome === REHEARSED ? run.delivery && unchangedOf(run.delivery) : submitted;
    const endedAt = this.#core.clock().toISOString();
    const duration = timeTaken(finish.entries) / 1_000;
    const own = this.#artifactOf(run, { ...finish, end }, endedAt);
    const ended: Run = {
      ...run,
      status: end.status,
      endedAt,
      progress: 1,
      ...(delivery === undefined ? {} : { delivery }),
      ...(end.result === undefined
        ? {}
        : { result: { ...end.result, artifacts: [...(own?.paths ?? []), ...end.result.artifacts], duration } }),
      ...(end.status === "completed" ? {} : failureOf(end)),
    };
    const sentBack = planIn(finish.entries)?.continues?.runId;
    const returned = sentBack === undefined ? undefined : await this.#giveBack(sentBack, ended);
    const settled = returned?.run ?? ended;
    // An agent that another one started works on its parent's task, and its answer is its parent's to use.
    const closing = { ...finish, before: returned?.before, planned: planIn(finish.entries)?.criteria };
    const shared =
      run.parentRunId === undefined
        ? [
            gathering.join((member) =>
              // A question of the run may free the task in the same moment; one of the two sees what the other did.
              this.#core.locks.run(blockLock(run.projectId, run.taskId), () =>
                this.#closeTask(settled, closing, member),
              ),
            ),
            // Written with the lines of other runs, it may not wait in the gathering.
            gathering.join((member) => journaled.then(() => this.#remember(settled, member))),
          ]
        : [];
    const leaveOut = (isSaved: boolean) => {
      if (isSaved || settled.result === undefined) return;
      settled.result.artifacts = settled.result.artifacts.filter((path) => !own?.paths.includes(path));
    };
    const saving = own === undefined ? [] : [gathering.join((member) => own.save(member).then(leaveOut))];
    const written = Promise.all([...saving, ...shared]);
    // Whoever ends the gathering fails with it.
    written.catch(() => undefined);
    return { settled, written };
  }

  /** The result that the run was to continue waits for review again, if the run did nothing with it. */
  async #giveBack(sentBack: string, run: Run): Promise<{ run: Run; before: Run } | undefined> {
    const before = this.#core.runs.get(sentBack)?.run;
    const { effects, delivery } = decide({ run }, { type: "ended", before }, this.#policyOf(run));
    if (before === undefined || !effects.includes("give-back")) return undefined;
    await returnResult({ core: this.#core, book: this.#book }, sentBack, run);
    return { before, run: delivery === undefined ? run : { ...run, delivery } };
  }

  /** Where the run's result goes, known before it is there, and how it gets there; undefined when it is not wanted. */
  #artifactOf(run: Run, { end, entries, journal }: Left, at: string) {
    if (end.result === undefined || planIn(entries)?.options.createArtifact !== true) return undefined;
    const { artifacts, root } = projectPaths(run.projectId);
    const name = `${run.taskId}-${run.id}.md`;
    const shown = (day: string) => `${artifacts}/${day}/${name}`.slice(root.length + 1);
    // The name holds the run's id: finding it there means that this was done before, on a day since the run was created.
    const found = this.#daysSince(run.createdAt, at, artifacts).findLast((day) =>
      this.#core.files.exists(`${artifacts}/${day}/${name}`),
    );
    if (found !== undefined) return { paths: [shown(found)], save: async (_: Member) => true };
    const body = { name, content: renderArtifact(run, end, journal) };
    const save = async (gathered: Member) => {
      const saved = this.#hall.documents.createArtifact(run.projectId, body, { actor: actorOf(run), gathered });
      return (await unlessRefused(saved)) !== undefined;
    };
    return { paths: [shown(at.slice(0, 10))], save };
  }

  /** Days on which a run may have left an artifact, the earliest first. */
  #daysSince(createdAt: string, at: string, artifacts: string): string[] {
    const [first, last] = [createdAt.slice(0, 10), at.slice(0, 10)];
    return first === last ? [last] : this.#core.files.folders(artifacts);
  }

  async #remember(run: Run, gathered: Member): Promise<void> {
    if (run.status === "completed") await unlessRefused(this.#workLog.add(run, gathered));
  }

  /** Where a run was stopped, its task moves in the name of whoever did that. */
  async #closeTask(run: Run, { stoppedBy, before, planned }: Closing, gathered: Member): Promise<void> {
    const { tasks } = this.#hall;
    const task = await unlessRefused(tasks.get(run.projectId, run.taskId));
    if (task === undefined || task.assignedSubAgentId !== run.id) return;
    const { moves } = decide({ run, task: task.status }, { type: "ended", before }, this.#policyOf(run));
    const to = moves.at(-1);
    const move = to === undefined ? {} : { status: to };
    const outcome = run.status === "completed" ? run.result?.outcome : undefined;
    const update =
      outcome === REHEARSED && before === undefined
        ? { ...move, outcome }
        : before === undefined
          ? {
              ...move,
              result: taskResultOf(run),
              ...(outcome === undefined ? {} : { outcome }),
              ...completionOf(run, task, { planned, fillsNotes: this.#fillsNotes(run) }),
            }
          : { ...move, ...assigneeOf(this.#core, before) };
    const actor = run.status === "cancelled" ? (stoppedBy ?? BY_DAEMON) : actorOf(run);
    await unlessRefused(tasks.update(run.projectId, run.taskId, update, { actor, gathered }));
  }
}

/** Where git knows what was changed, its word counts: a command changes files that no tool has told of. */
function withFiles(end: RecordedEnd, filesChanged: string[] | undefined): RecordedEnd {
  if (end.result === undefined || filesChanged === undefined) return end;
  return { ...end, result: { ...end.result, filesChanged } } as RecordedEnd;
}

/** A review that ended without a verdict comes to none, whatever its words say. */
function withReview(end: RecordedEnd, { purpose }: Run): RecordedEnd {
  if (purpose !== "review" || end.result === undefined || end.result.review !== undefined) return end;
  const result = { ...end.result, review: { verdict: "unable" as const, findings: [] } };
  return end.status === "completed" ? { ...end, result } : { ...end, result };
}

/** The offline model, without a playbook, looked around and did nothing, whatever its report says. */
function withRehearsal(end: RecordedEnd, { purpose }: Run, entries: readonly JournalEntry[]): RecordedEnd {
  const last = entries.findLast((entry) => entry.type === "answer");
  if (purpose !== "work" || end.status !== "completed" || last?.rehearsed !== true) return end;
  return { ...end, result: { ...end.result, outcome: REHEARSED } };
}

function failureOf({ cause, error }: Exclude<RecordedEnd, { status: "completed" }>): Pick<Run, "cause" | "error"> {
  return { ...(cause === undefined ? {} : { cause }), error };
}

/** The person may have closed the project, or moved or removed the task: their word counts, and the run ends all the same. */
export async function unlessRefused<Value>(change: Promise<Value>): Promise<Value | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof HallError && error.code !== "storage_failed") return undefined;
    throw error;
  }
}

function renderArtifact(run: Run, end: RecordedEnd, journal: string): string {
  const changed = end.result?.filesChanged.map((path) => `- \`${path}\``).join("\n") ?? "";
  return [
    `# ${run.title}`,
    `${run.taskId} · ${run.roleId} · ${run.model} · ${end.status}${end.status === "completed" ? "" : `: ${end.error}`}`,
    cutText(writable(end.result?.output ?? ""), LONGEST_ARTIFACT, "\n\n(Truncated; see the transcript.)"),
    ...reviewParts(end.result?.review),
    changed === "" ? "" : `## Files changed\n\n${changed}`,
    `Full transcript: \`${journal}\``,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function reviewParts(review: RunReview | undefined): string[] {
  if (review === undefined) return [];
  const { verdict, findings } = review;
  const line = (text: string) => writable(text).replaceAll(/\s+/g, " ");
  const items = findings.map(({ severity, message, fix, ...place }) => {
    const at = findingPlace(place);
    const how = fix === undefined ? "" : ` Fix: ${line(fix)}`;
    return `- ${severity}${at === "" ? "" : ` \`${line(at)}\``}: ${line(message)}${how}`;
  });
  return [`## Verdict\n\n${VERDICT_WORDS[verdict]}`, items.length === 0 ? "" : `## Findings\n\n${items.join("\n")}`];
}

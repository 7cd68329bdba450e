import type { Actor } from "../../contract/event.ts";
import type { Run, RunStatus } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { LaterAnswer, Parked } from "../../contract/runs/waiting.ts";
import type { Database } from "./database.ts";
import { DocumentTable, type IndexedDocument } from "./document-table.ts";
import type { PassageTable } from "./passage-table.ts";
import { RowMemory } from "./row-memory.ts";
import { UseTable } from "./use-table.ts";

/** What is known of a run beside its journal. */
export interface IndexedRun {
  run: Run;
  /** The run's journal, relative to the workspace. */
  journal: string;
  epoch: number;
  /** How often the process that carried it out died. */
  crashes: number;
  /** Who asked for it. */
  by?: Actor | undefined;
  /** Clients that had it done beside `by`. */
  clients?: readonly string[] | undefined;
  /** The call of its parent that asked for it. */
  callId?: string | undefined;
  /** What was said to it, oldest first. */
  messages: RunMessage[];
  /** Calls with which it told the person something. */
  notified?: string[];
  /** Why it is to end, once someone has asked for that. */
  cancelling?: string;
  /** Who asked for it, if it was not the hall. */
  stoppedBy?: Actor;
  /** What it waits for without a process. */
  waiting?: Parked & { since: string };
  /** What it waited for last, and the lease with which it went on. */
  resumed?: { callId?: string | undefined; epoch?: number };
  /** To its calls that were answered later. */
  answers?: (LaterAnswer & { callId: string })[];
}

export interface RunMessage {
  id: string;
  /** Absent: the person. */
  from?: "hall" | "team" | undefined;
  text: string;
}

export interface RunQuery {
  projectId?: string | undefined;
  status?: RunStatus | undefined;
  taskId?: string | undefined;
  roleId?: string | undefined;
  /** Only those whose result waits for a person. */
  review?: boolean | undefined;
  /** Only those whose result is kept. */
  kept?: boolean | undefined;
  /** Only runs with an id before this one. */
  before?: string | undefined;
  limit: number;
}

/** Characters of what a run wrote, or failed with, that are searched. */
const SEARCHED = 4_000;

/** What a run wrote has a column of its own: lists that do not show it need not read it. */
const unsaid = (result: NonNullable<Run["result"]>) => ({ ...result, output: "" });

/** Runs that are over and were asked for lately are kept in memory, unless they wrote more than this many characters. */
const MOST_KEPT = 500;
const LONGEST_KEPT = 20_000;

/**
 * The table `spawn_sessions`: what the projects' runs/index.jsonl tell, for quick questions. Runs that are not over are all
 * kept in memory.
 */
export class RunTable {
  readonly #db: Database;
  readonly #documents: DocumentTable;
  readonly #uses: UseTable;
  readonly #passages: PassageTable;
  /** Every run that is not over; undefined until somebody asks. */
  #open: RowMemory<IndexedRun> | undefined;
  readonly #over = new RowMemory<IndexedRun>(MOST_KEPT);

  constructor(db: Database, passages: PassageTable) {
    this.#db = db;
    db.onForget({ forget: () => this.#forget() });
    this.#documents = new DocumentTable(db);
    this.#uses = new UseTable(db);
    this.#passages = passages;
  }

  put(indexed: IndexedRun): void {
    const { run, journal, epoch } = indexed;
    const doc = run.result === undefined ? indexed : { ...indexed, run: { ...run, result: unsaid(run.result) } };
    const row = { doc: JSON.stringify(doc), output: run.result?.output ?? null };
    this.#db.replace(
      "INSERT OR REPLACE INTO spawn_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      run.id,
      run.taskId,
      run.projectId,
      run.roleId,
      run.status,
      run.startedAt ?? null,
      run.endedAt ?? null,
      run.result?.duration ?? null,
      row.output,
      JSON.stringify(run.result?.artifacts ?? []),
      run.createdAt,
      run.parentRunId ?? null,
      journal,
      epoch,
      row.doc,
      run.delivery?.state ?? null,
    );
    const before = this.#open?.get(run.id);
    // A run that was over before anybody asked for it is one of thousands that an emptied index is filled with.
    if (!isOver(run) || before !== undefined) this.#keep(indexedOf(row));
    else this.#over.drop(run.id);
    // One that goes on as before has used nothing that the table knows of.
    if (isOver(run) || before === undefined) this.#uses.put(run);
    if (!isOver(run)) return;
    this.#documents.put(documentOf(run));
    this.#passages.expect(run, { hasJustEnded: before !== undefined });
  }

  get(id: string): IndexedRun | undefined {
    this.#db.assertAvailable();
    const known = this.#opened().get(id) ?? this.#over.get(id);
    if (known !== undefined) return known;
    const sql = "SELECT doc, output FROM spawn_sessions WHERE session_id = ?";
    const row = this.#db.find<RunRow>("spawn_sessions", id, { sql, values: [id] });
    return row === undefined ? undefined : this.#keep(indexedOf(row));
  }

  list(query: RunQuery): IndexedRun[] {
    const standing = query.review ? "AND standing = 'review'" : query.kept ? "AND standing = 'kept'" : "";
    return this.#db
      .all<RunRow>(
        `SELECT doc, output FROM spawn_sessions WHERE (?1 IS NULL OR project_id = ?1) AND (?2 IS NULL OR status = ?2)
         AND (?3 IS NULL OR task_id = ?3) AND (?4 IS NULL OR session_id < ?4)
         AND (?6 IS NULL OR role_id = ?6) ${standing} ORDER BY session_id DESC LIMIT ?5`,
        query.projectId ?? null,
        query.status ?? null,
        query.taskId ?? null,
        query.before ?? null,
        query.limit,
        query.roleId ?? null,
      )
      .map(indexedOf);
  }

  /** Runs that are not over, oldest first; of one project, or of all. */
  unsettled(projectId?: string): IndexedRun[] {
    this.#db.assertAvailable();
    return [...this.#opened().values()]
      .filter(({ run }) => projectId === undefined || run.projectId === projectId)
      .sort((one, other) => (one.run.id < other.run.id ? -1 : 1));
  }

  childrenOf(runId: string): IndexedRun[] {
    return this.#db
      .all<RunRow>("SELECT doc, output FROM spawn_sessions WHERE parent_id = ? ORDER BY session_id", runId)
      .map(indexedOf);
  }

  removeProject(projectId: string): void {
    this.#forget();
    this.#db.run("DELETE FROM spawn_sessions WHERE project_id = ?", projectId);
    this.#db.run("DELETE FROM documents WHERE project_id = ? AND kind = 'run'", projectId);
    this.#uses.removeProject(projectId);
    this.#passages.removeProject(projectId);
  }

  #keep(known: IndexedRun): IndexedRun {
    const { id, result } = known.run;
    if (!isOver(known.run)) {
      this.#over.drop(id);
      return this.#open?.keep(id, known) ?? known;
    }
    this.#open?.drop(id);
    if ((result?.output.length ?? 0) <= LONGEST_KEPT) return this.#over.keep(id, known);
    this.#over.drop(id);
    return known;
  }

  #opened(): RowMemory<IndexedRun> {
    if (this.#open !== undefined) return this.#open;
    const open = new RowMemory<IndexedRun>();
    const rows = this.#db.all<RunRow>("SELECT doc, output FROM spawn_sessions WHERE status IN ('pending', 'running')");
    for (const known of rows.map(indexedOf)) open.keep(known.run.id, known);
    this.#open = open;
    return open;
  }

  #forget(): void {
    this.#open = undefined;
    this.#over.clear();
  }
}

/** What a run is found by: its title, who did it, why it failed and how its answer begins; artifacts have all of it. */
function documentOf(run: Run): IndexedDocument {
  const { id, projectId, taskId, roleId, title, error = "", result, createdAt, endedAt = createdAt } = run;
  const words = [error.slice(0, SEARCHED), result?.output.slice(0, SEARCHED) ?? "", roleId, taskId];
  const body = words.filter((text) => text !== "").join("\n");
  return { path: `run ${id}`, kind: "run", projectId, id, title, body, size: 0, updatedAt: endedAt };
}

export interface RunRow {
  doc: string;
  /** Left out, or null when there is none. */
  output?: string | null;
}

export function indexedOf({ doc, output }: RunRow): IndexedRun {
  const indexed = JSON.parse(doc) as IndexedRun;
  if (typeof output === "string" && indexed.run.result !== undefined) indexed.run.result.output = output;
  return indexed;
}

import { CardTable } from "./card-table.ts";
import { Database, type IndexCondition, unavailable } from "./database.ts";
import { DocumentTable } from "./document-table.ts";
import { EscalationTable } from "./escalation-table.ts";
import { FileTable } from "./file-table.ts";
import { GateTable } from "./gate-table.ts";
import { GlanceTable } from "./glance-table.ts";
import { INDEX_VERSION } from "./index-schema.ts";
import { PassageTable } from "./passage-table.ts";
import { ProjectTable } from "./project-table.ts";
import { RequestTable } from "./request-table.ts";
import { RoleTable } from "./role-table.ts";
import { RunTable } from "./run-table.ts";
import { SearchTable, takeInWords } from "./search-table.ts";
import { TaskTable } from "./task-table.ts";
import { UseTable } from "./use-table.ts";

/** How long a question waits for an index that is being rebuilt. */
const WAIT_MS = 10_000;

/** The cache that answers questions about the workspace. It can be deleted at any time; the files are the truth. */
export class HallIndex {
  readonly schema = INDEX_VERSION;
  readonly files: FileTable;
  readonly tasks: TaskTable;
  readonly roles: RoleTable;
  readonly projects: ProjectTable;
  readonly documents: DocumentTable;
  readonly escalations: EscalationTable;
  readonly gates: GateTable;
  readonly search: SearchTable;
  readonly passages: PassageTable;
  readonly requests: RequestTable;
  readonly runs: RunTable;
  readonly cards: CardTable;
  readonly glance: GlanceTable;
  readonly uses: UseTable;
  readonly #db: Database;
  #coming: Promise<void> = Promise.resolve();
  /** Those who wait for a lost index to be filled again. */
  #waiting: (() => void)[] = [];

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.beforeCommit = () => takeInWords(this.#db);
    this.files = new FileTable(this.#db);
    const held = () => this.escalations.heldPlans();
    this.tasks = new TaskTable(this.#db, held);
    this.roles = new RoleTable(this.#db);
    this.projects = new ProjectTable(this.#db);
    this.documents = new DocumentTable(this.#db);
    this.escalations = new EscalationTable(this.#db, this.documents);
    this.gates = new GateTable(this.#db, this.documents);
    this.search = new SearchTable(this.#db);
    this.passages = new PassageTable(this.#db);
    this.requests = new RequestTable(this.#db);
    this.runs = new RunTable(this.#db, this.passages);
    this.cards = new CardTable(this.#db, held);
    this.glance = new GlanceTable(this.#db);
    this.uses = new UseTable(this.#db);
  }

  /** Why the index has to be filled from the files; undefined when it is as it was left. */
  get emptyBecause(): string | undefined {
    return this.#db.emptyBecause;
  }

  get condition(): IndexCondition {
    return this.#db.condition;
  }

  /** Says what to do when the index is lost. It is called in the middle of whatever failed, and must not use the index. */
  onLoss(repair: (reason: string) => void): void {
    this.#db.onLoss = repair;
  }

  /** Resolves when the index can be asked. Rejects with a retryable failure when it is not filled again in time. */
  async available(withinMs = WAIT_MS): Promise<void> {
    this.#db.checkFile();
    if (this.condition.state !== "lost") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const timer = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((other) => other !== resolve);
    if (this.condition.state === "lost") throw unavailable();
  }

  /** For what the files hold already: an index that cannot take it is filled from them, and then has it. */
  reflect(work: () => void): void {
    try {
      this.#db.transaction(work);
    } catch (error) {
      if (this.condition.state !== "lost") throw error;
    }
  }

  transaction<Result>(work: () => Result): Result {
    return this.#db.transaction(work);
  }

  /** A change that is on its way: the log may tell of it before the index shows it. */
  expect(change: Promise<unknown>): void {
    this.#coming = Promise.allSettled([this.#coming, change]).then(() => undefined);
  }

  /** Resolves when every change that was on its way is shown: whoever heard of one finds it. */
  caughtUp(): Promise<void> {
    return this.#coming;
  }

  /** Empties the index and fills it. Whoever asks meanwhile waits; when `fill` fails, the index is lost. */
  rebuild(where: "file" | "memory", fill: () => void): void {
    this.#db.reset(where);
    try {
      this.#db.fill(fill);
    } catch (error) {
      this.#db.giveUp(error);
      throw error;
    }
    for (const resolve of this.#waiting) resolve();
  }

  close(): void {
    this.#db.close();
  }
}

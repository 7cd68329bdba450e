import { CardTable } from "./card-table.ts";
import { Database } from "./database.ts";
import { DocumentTable } from "./document-table.ts";
import { FileTable } from "./file-table.ts";
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

/** The cache that answers questions about the workspace. It can be deleted at any time; the files are the truth. */
export class HallIndex {
  readonly schema = INDEX_VERSION;
  readonly files: FileTable;
  readonly tasks: TaskTable;
  readonly roles: RoleTable;
  readonly projects: ProjectTable;
  readonly documents: DocumentTable;
  readonly search: SearchTable;
  readonly passages: PassageTable;
  readonly requests: RequestTable;
  readonly runs: RunTable;
  readonly cards: CardTable;
  readonly glance: GlanceTable;
  readonly uses: UseTable;
  readonly #db: Database;
  readonly #coming = new Set<Promise<unknown>>();

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.beforeCommit = () => takeInWords(this.#db);
    this.files = new FileTable(this.#db);
    this.tasks = new TaskTable(this.#db);
    this.roles = new RoleTable(this.#db);
    this.projects = new ProjectTable(this.#db);
    this.documents = new DocumentTable(this.#db);
    this.search = new SearchTable(this.#db);
    this.passages = new PassageTable(this.#db);
    this.requests = new RequestTable(this.#db);
    this.runs = new RunTable(this.#db, this.passages);
    this.cards = new CardTable(this.#db);
    this.glance = new GlanceTable(this.#db);
    this.uses = new UseTable(this.#db);
  }

  /** Why the index has to be filled from the files; undefined when it is as it was left. */
  get emptyBecause(): string | undefined {
    return this.#db.emptyBecause;
  }

  /** Says what to do when changes that were already shown are gone from the index. */
  onLoss(repair: () => void): void {
    this.#db.onLoss = repair;
  }

  transaction<Result>(work: () => Result): Result {
    return this.#db.transaction(work);
  }

  /** A change that is on its way: the log may tell of it before the index shows it. */
  expect(change: Promise<unknown>): void {
    const shown = change.then(
      () => undefined,
      () => undefined,
    );
    this.#coming.add(shown);
    void shown.then(() => this.#coming.delete(shown));
  }

  /** Resolves when every change that was on its way is shown: whoever heard of one finds it. */
  async caughtUp(): Promise<void> {
    if (this.#coming.size > 0) await Promise.all(this.#coming);
  }

  /** For someone who fills the index with many tasks: lets it digest what it has so far. */
  digest(): void {
    takeInWords(this.#db);
  }

  reset(): void {
    this.#db.reset();
  }

  close(): void {
    this.#db.close();
  }
}

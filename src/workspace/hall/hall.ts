import type { TaskCard } from "../../contract/documents/card.ts";
import type {
  Assignment,
  AssignmentCreate,
  AssignmentUpdate,
  BriefEdit,
  FileEntry,
  ProjectCreate,
  ProjectStatus,
  ProjectSummary,
  ProjectUpdate,
} from "../../contract/documents/project.ts";
import type { Role, RoleCreate, RoleSuggestion, RoleTemplate, RoleUpdate } from "../../contract/documents/role.ts";
import type { Task, TaskCreate, TaskMove, TaskUpdate } from "../../contract/documents/task.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type {
  Initiative,
  InitiativeCreate,
  InitiativeDetail,
  InitiativeUpdate,
} from "../../contract/routes/autonomy/initiative-routes.ts";
import type { Artifact, ArtifactCreate } from "../../contract/routes/document-routes.ts";
import type { AuditReport } from "../../contract/routes/event-routes.ts";
import type { FolderList, FolderQuery } from "../../contract/routes/folder-routes.ts";
import type { ProjectView } from "../../contract/routes/project-routes.ts";
import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { TaskQuery } from "../../contract/routes/task-routes.ts";
import type { Change } from "../change.ts";
import type { Escalations } from "../escalations/escalations.ts";
import type { EventsBefore } from "../events/events-backwards.ts";
import type { EventQuery } from "../events/logged-event.ts";
import type { GateReports } from "../gates/gate-reports.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { Memories } from "../knowledge/memories.ts";
import type { ReviewDefault } from "../migrations/review-default.ts";
import type { AnswerRules } from "../policies/answer-rules.ts";
import type { Grants } from "../policies/grants.ts";
import type { Workdirs } from "../projects/workdirs.ts";
import type { Together } from "../together.ts";

/** `id` is one that was reserved; without it the task gets the next. */
export type NewTask = TaskCreate & { id?: string | undefined };

/** `escalations`: those that block it; null takes them away. Only the daemon sets it. */
export type TaskEdit = TaskUpdate & { escalations?: string[] | null | undefined };

export type RoleView = Role & { etag: string };
export type FileView = FileEntry & { content: string; etag: string };

export interface Hall {
  readonly roles: {
    list(query: RouteQuery<"listRoles">): { roles: Role[]; invalid: Problem[]; nextCursor?: string };
    templates(): RoleTemplate[];
    suggest(query: RouteQuery<"suggestRoles">): RoleSuggestion[];
    get(id: string): RoleView;
    create(body: RoleCreate, change: Change): Promise<RoleView>;
    update(id: string, body: RoleUpdate, change: Change): Promise<RoleView>;
    delete(id: string, change: Change): Promise<void>;
  };
  readonly projects: {
    list(query: RouteQuery<"listProjects">): { projects: ProjectSummary[]; nextCursor?: string };
    get(id: string): ProjectView;
    files(id: string): { files: FileEntry[]; filesOmitted: number };
    create(body: ProjectCreate, change: Change): Promise<ProjectView>;
    update(id: string, body: ProjectUpdate, change: Change): Promise<ProjectView>;
    /** Puts a text into a section of PROJECT.md. */
    describe(id: string, edit: BriefEdit, change: Change): Promise<ProjectView>;
    move(id: string, status: ProjectStatus, change: Change): Promise<ProjectView>;
    /** What DELETE does: through completed, if need be, to archived. */
    archive(id: string, change: Change): Promise<void>;
    /** Answers where in the trash the folder went. */
    purge(id: string, change: Change): Promise<string>;
  };
  readonly reviewDefault: Pick<ReviewDefault, "offered" | "answer">;
  readonly workdirs: Pick<
    Workdirs,
    "view" | "confirm" | "warningsFor" | "leftOutFor" | "trustedRepository" | "trustedCheckout" | "noteFilters"
  >;
  readonly team: {
    list(projectId: string): Assignment[];
    create(projectId: string, body: AssignmentCreate, change: Change): Promise<Assignment>;
    update(projectId: string, assignmentId: string, body: AssignmentUpdate, change: Change): Promise<Assignment>;
    delete(projectId: string, assignmentId: string, change: Change): Promise<void>;
  };
  readonly tasks: {
    /** Without a project: the tasks of all projects. */
    list(projectId: string | undefined, query: TaskQuery): { tasks: Task[]; invalid: Problem[]; nextCursor?: string };
    /** All of a project, as the board shows them. */
    cards(projectId: string): Promise<{ cards: TaskCard[]; invalid: Problem[]; seq: number }>;
    get(projectId: string, taskId: string): Promise<Task>;
    /** The id that the next task would get; it stays free. */
    nextId(projectId: string): string;
    /** The id of a task that is still to be created goes to what `use` makes with it; when that throws, it stays free. */
    reserve<Result>(projectId: string, use: (id: string) => Result): Result;
    /** `together`: becomes durable in the same change, and is refused with it. */
    create(projectId: string, body: NewTask, change: Change, together?: Together): Promise<Task>;
    update(projectId: string, taskId: string, body: TaskEdit, change: Change): Promise<Task>;
    move(projectId: string, taskId: string, body: TaskMove, change: Change): Promise<Task>;
  };
  readonly escalations: Escalations;
  readonly gates: Pick<
    GateReports,
    "list" | "finished" | "checks" | "get" | "getCheck" | "ofRun" | "withKey" | "own" | "running" | "save"
  >;
  /** "Always answer this way". */
  readonly answerRules: Pick<
    AnswerRules,
    "list" | "get" | "add" | "addTogether" | "update" | "remove" | "removeTogether"
  >;
  /** Permissions that the person gave. */
  readonly grants: Pick<Grants, "list" | "addTogether" | "whileUnchanged" | "revoke" | "drop">;
  readonly documents: {
    initiatives(projectId: string): Initiative[];
    createInitiative(projectId: string, body: InitiativeCreate, change: Change): Promise<Initiative>;
    initiative(projectId: string, slug: string): InitiativeDetail;
    updateInitiative(
      projectId: string,
      slug: string,
      update: InitiativeUpdate,
      change: Change,
    ): Promise<InitiativeDetail>;
    /** Of an initiative. What `edit` makes of its text takes its place; what it throws is thrown. */
    editPlan(projectId: string, plan: { slug: string; edit: (text: string) => string }, change: Change): Promise<void>;
    artifacts(
      projectId: string,
      page: { limit: number; cursor?: string | undefined },
    ): { artifacts: Artifact[]; nextCursor?: string };
    createArtifact(projectId: string, body: ArtifactCreate, change: Change): Promise<Artifact>;
    context(projectId: string): FileEntry[];
    writeContext(projectId: string, path: string, content: string, change: Change): Promise<FileEntry>;
    read(projectId: string, path: string): Promise<FileView>;
  };
  readonly knowledge: Pick<
    Knowledge,
    "list" | "get" | "add" | "update" | "accept" | "supersede" | "remove" | "promote" | "weave" | "brief" | "index"
  >;
  /** Without a project: the main agent's. */
  readonly memory: Pick<Memories, "list" | "read" | "write" | "remove">;
  readonly events: {
    /** The sequence number of the newest event. */
    head(): number;
    /** Events after `after`, oldest first; read from the log. */
    read(query: EventQuery & { after: number; limit: number }): Promise<HallEvent[]>;
    tail(query: EventQuery & { count: number }): Promise<HallEvent[]>;
    /** The newest before a number, oldest first. */
    before(query: EventQuery & { before: number; count: number }): Promise<EventsBefore>;
    /** The listener must not throw. Answers how to stop listening. */
    subscribe(listener: (event: HallEvent) => void): () => void;
    verify(): Promise<AuditReport>;
  };
  readonly index: {
    /** Resolves when documents can be looked up; rejects with a retryable failure where that takes too long. */
    available(): Promise<void>;
    state(): { schema: number; rebuiltAt?: string; rebuildMs?: number };
    rebuild(): Promise<{ files: number; problems: number; ms: number }>;
  };
  readonly health: {
    counts(): { roles: number; projects: number; tasks: number; problems: number; events: number };
    /** Answers while the index is lost too. */
    problems(): Problem[];
    /** Only what cannot be read, the first of them; cheap enough for every glance. */
    unreadable(limit: number): { problems: Problem[]; total: number };
    containment(): "descriptor" | "realpath";
  };
  search(query: RouteQuery<"search">): RouteResponse<"search">;
  /** Of the machine, to choose one for a project. */
  folders(query: FolderQuery): FolderList;
  /**
   * What an earlier request with this key did, or undefined. A different fingerprint refuses with idempotency_mismatch.
   * Survives a crash: the key is part of the change itself.
   */
  replay(request: {
    key: string;
    fingerprint: string;
  }): { type: HallEvent["type"]; projectId?: string; subjectId: string } | undefined;
}

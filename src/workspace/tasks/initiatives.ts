import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type {
  Initiative,
  InitiativeCreate,
  InitiativeDetail,
  InitiativeUpdate,
  PlanParts,
} from "../../contract/routes/autonomy/initiative-routes.ts";
import type { InitiativeStatus } from "../../contract/words/autonomy/lead-words.ts";
import { isSameStamp, type Stamp } from "../../store/files/regular-file.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { URGENCY } from "../../store/index/task-filter.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, commit } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { DocumentSync } from "../knowledge/document-sync.ts";
import { changedFile, newFile, unlessTaken } from "../knowledge/document-writes.ts";
import { projectRoot } from "../layout.ts";
import { slugOf } from "../projects/project-rules.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { editPlan, newPlan, readPlan } from "./plan-text.ts";
import { etagOf } from "./task-file.ts";

const MOST_READY = 500;
/** Plans that are kept in memory; the one that was read longest ago goes first. */
const MOST_KEPT = 2_000;

interface Read extends PlanParts {
  text: string;
  stamp: Stamp;
}

interface PlanChange {
  slug: string;
  edit: (text: string) => string;
  /** Its status changes. */
  moved?: { from: InitiativeStatus; to: InitiativeStatus | undefined } | undefined;
}

/** Plans inside a project: `plans/<slug>/plan.md` and the tasks that name it. */
export class Initiatives {
  readonly #core: IndexedCore;
  readonly #documents: DocumentSync;
  readonly #read = new Map<string, Read>();

  constructor(core: IndexedCore, documents: DocumentSync) {
    this.#core = core;
    this.#documents = documents;
  }

  list(projectId: string): Initiative[] {
    const found = this.#core.index.documents.list({ projectId, kind: "plan", limit: 1_000 });
    return found
      .map((document) => this.#view(projectId, document.id.split("/")[1] ?? "", document.title))
      .sort((left, right) => left.slug.localeCompare(right.slug));
  }

  /** By its file as it is now. Throws `initiative_not_found` where there is none. */
  get(projectId: string, slug: string): InitiativeDetail {
    const path = planPath(projectId, slug);
    const plan = this.#planAt(path);
    if (plan === undefined)
      throw new HallError("initiative_not_found", `There is no initiative '${slug}' in project '${projectId}'.`);
    const { text, stamp, ...parts } = plan;
    const { tasks } = this.#core.index;
    return {
      ...parts,
      ...{ slug, path, title: parts.title || slug, plan: text, etag: etagOf(text) },
      updatedAt: new Date(stamp.mtime).toISOString(),
      tasks: tasks.planProgress(projectId, slug),
      counts: tasks.planCounts(projectId, slug),
      ready: readyInOrder(this.#core.index, projectId, slug),
    };
  }

  async update(projectId: string, slug: string, update: InitiativeUpdate, change: Change): Promise<InitiativeDetail> {
    const before = this.get(projectId, slug);
    const isStatus = update.status !== undefined && update.status !== before.status;
    const edit = (text: string) => {
      if (change.ifMatch !== undefined && change.ifMatch !== etagOf(text))
        throw new HallError("version_mismatch", `The plan of '${slug}' was changed meanwhile.`);
      return editPlan(text, update);
    };
    const moved = isStatus ? { from: before.status, to: update.status } : undefined;
    await this.#change(projectId, { slug, edit, moved }, change);
    return this.get(projectId, slug);
  }

  /** Read again when its file is another. */
  #planAt(path: string): Read | undefined {
    const { files } = this.#core;
    const stamp = files.stamp(path);
    const known = this.#read.get(path);
    if (stamp === undefined) return undefined;
    if (known !== undefined && isSameStamp(known.stamp, stamp)) return known;
    const text = decodeText(files.readContained(path, path.slice(0, path.lastIndexOf("/")))) ?? "";
    const read = { ...readPlan(text), text, stamp };
    this.#read.delete(path);
    this.#read.set(path, read);
    for (const [oldest] of this.#read) if (this.#read.size > MOST_KEPT) this.#read.delete(oldest);
    return read;
  }

  async create(projectId: string, body: InitiativeCreate, change: Change): Promise<Initiative> {
    const slug = body.slug ?? slugOf(body.title);
    if (slug === undefined)
      throw new HallError("invalid", "slug: is required, because the title can't be turned into one.");
    if (!(await this.#write(projectId, { slug, title: body.title, goals: body.goals }, change))) {
      throw new HallError("already_exists", `There is already an initiative '${slug}' in project '${projectId}'.`);
    }
    return this.#view(projectId, slug, body.title);
  }

  /** A task may name an initiative that nobody has started yet; its plan is then begun. */
  async ensure(projectId: string, slug: string, change: Change): Promise<void> {
    if (this.#core.files.exists(planPath(projectId, slug))) return;
    await this.#write(projectId, { slug, title: slug, goals: [] }, { actor: change.actor });
  }

  /**
   * `edit` is done on the plan as it is, anew when a person changes it meanwhile; what it throws changes nothing. Agents don't make an
   * initiative active again: the person paused it, or it is complete.
   */
  edit(projectId: string, plan: { slug: string; edit: (text: string) => string }, change: Change): Promise<void> {
    const edit = (text: string) => {
      const edited = plan.edit(text);
      const before = readPlan(text).status;
      if (change.actor.kind === "agent" && before !== "active" && readPlan(edited).status === "active")
        throw new HallError(
          "forbidden",
          `Initiative '${plan.slug}' is ${before}. Only the person makes it active again.`,
        );
      return edited;
    };
    return this.#change(projectId, { slug: plan.slug, edit }, change);
  }

  #change(projectId: string, plan: PlanChange, change: Change): Promise<void> {
    const path = planPath(projectId, plan.slug);
    return this.#core.locks.run(`file ${path}`, () => untilUndisturbed(() => this.#edit(projectId, plan, change)));
  }

  async #edit(projectId: string, { slug, edit, moved }: PlanChange, change: Change): Promise<void> {
    const path = planPath(projectId, slug);
    const { files } = this.#core;
    const within = path.slice(0, path.lastIndexOf("/"));
    const before = files.readContained(path, within);
    const text = decodeText(before);
    if (text === undefined) throw new HallError("invalid", `'${path}' is not UTF-8 text.`, { file: path });
    const after = edit(text);
    const of = { ...byChange(change), projectId, file: path, etag: etagOf(after) };
    const document = { kind: "document" as const, id: path.slice(projectRoot(projectId).length + 1) };
    const draft: EventDraft =
      moved === undefined
        ? { ...of, type: "document.written", subject: document, after: { size: Buffer.byteLength(after) } }
        : {
            ...{ ...of, type: "initiative.updated", subject: { kind: "initiative", id: slug } },
            ...{ before: { status: moved.from }, after: { status: moved.to } },
          };
    await commit(this.#core, draft, () => this.#documents.load(path), [changedFile(path, after, before, within)]);
  }

  async #write(
    projectId: string,
    plan: { slug: string; title: string; goals: string[] },
    change: Change,
  ): Promise<boolean> {
    const path = planPath(projectId, plan.slug);
    return this.#core.locks.run(`file ${path}`, async () => {
      const text = this.#begun(projectId, plan, change);
      if (this.#core.files.exists(path)) return false;
      const draft = {
        ...byChange(change),
        type: "initiative.created" as const,
        projectId,
        subject: { kind: "initiative" as const, id: plan.slug },
        file: path,
        etag: etagOf(text),
        after: { title: plan.title },
      };
      return unlessTaken(commit(this.#core, draft, () => this.#documents.load(path), [newFile(path, text)]));
    });
  }

  /** Where the orchestrator may only work on what is there, what an agent thought of waits for the person. */
  #begun(projectId: string, { title, goals }: { title: string; goals: string[] }, { actor }: Change): string {
    const text = newPlan(title, goals);
    const isPersons = actor.kind !== "agent" || this.#core.projects.get(projectId)?.config.autonomy !== "work";
    return isPersons ? text : editPlan(text, { status: "paused" });
  }

  #view(projectId: string, slug: string, title: string): Initiative {
    return {
      slug,
      title,
      path: planPath(projectId, slug),
      status: this.#planAt(planPath(projectId, slug))?.status ?? "active",
      tasks: this.#core.index.tasks.planProgress(projectId, slug),
    };
  }
}

function planPath(projectId: string, slug: string): string {
  return `${projectRoot(projectId)}/plans/${slug}/plan.md`;
}

type Ready = Pick<Task, "id" | "title" | "priority">;

/** Ready tasks of an initiative, the most urgent first; of equal ones, the oldest. */
function readyInOrder({ tasks }: HallIndex, projectId: string, plan: string): Ready[] {
  const order = { sort: "priority" as const, descending: true, limit: MOST_READY, after: undefined };
  return tasks
    .list({ projectId, plan, ready: true }, order)
    .map(({ id, title, priority }) => ({ id, title, priority }))
    .sort((left, right) => URGENCY[right.priority] - URGENCY[left.priority] || numberOf(left) - numberOf(right));
}

function numberOf({ id }: Ready): number {
  return Number(id.slice(id.indexOf("-") + 1));
}

import { HallError } from "../../contract/errors.ts";
import type { Initiative, InitiativeCreate } from "../../contract/routes/document-routes.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, commit } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { DocumentSync } from "../knowledge/document-sync.ts";
import { changedFile, newFile, unlessTaken } from "../knowledge/document-writes.ts";
import { projectRoot } from "../layout.ts";
import { slugOf } from "../projects/project-rules.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { etagOf } from "./task-file.ts";

/** Plans inside a project: `plans/<slug>/plan.md` and the tasks that name it. */
export class Initiatives {
  readonly #core: IndexedCore;
  readonly #documents: DocumentSync;

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

  /** `edit` is done on the plan as it is, anew when a person changes it meanwhile; what it throws changes nothing. */
  edit(projectId: string, plan: { slug: string; edit: (text: string) => string }, change: Change): Promise<void> {
    const path = planPath(projectId, plan.slug);
    return this.#core.locks.run(`file ${path}`, () =>
      untilUndisturbed(() => this.#edit(projectId, { path, edit: plan.edit }, change)),
    );
  }

  async #edit(
    projectId: string,
    { path, edit }: { path: string; edit: (text: string) => string },
    change: Change,
  ): Promise<void> {
    const { files } = this.#core;
    const within = path.slice(0, path.lastIndexOf("/"));
    const before = files.readContained(path, within);
    const text = decodeText(before);
    if (text === undefined) throw new HallError("invalid", `'${path}' is not UTF-8 text.`, { file: path });
    const after = edit(text);
    const subject = { kind: "document" as const, id: path.slice(projectRoot(projectId).length + 1) };
    const draft = { ...byChange(change), type: "document.written" as const, projectId, subject };
    await commit(
      this.#core,
      { ...draft, file: path, etag: etagOf(after), after: { size: Buffer.byteLength(after) } },
      () => this.#documents.load(path),
      [changedFile(path, after, before, within)],
    );
  }

  async #write(
    projectId: string,
    plan: { slug: string; title: string; goals: string[] },
    change: Change,
  ): Promise<boolean> {
    const path = planPath(projectId, plan.slug);
    return this.#core.locks.run(`file ${path}`, async () => {
      const text = renderPlan(plan.title, plan.goals);
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

  #view(projectId: string, slug: string, title: string): Initiative {
    return {
      slug,
      title,
      path: planPath(projectId, slug),
      tasks: this.#core.index.tasks.planProgress(projectId, slug),
    };
  }
}

function planPath(projectId: string, slug: string): string {
  return `${projectRoot(projectId)}/plans/${slug}/plan.md`;
}

function renderPlan(title: string, goals: string[]): string {
  const listed = goals.map((goal) => `- ${goal}`).join("\n") || "- Describe the goal.";
  return `# ${title}\n\n## Goals\n\n${listed}\n\n## State\n\nNot started.\n\n## Next\n\n- Break the goals into tasks.\n`;
}

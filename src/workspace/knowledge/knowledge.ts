import {
  type KnowledgeQuery,
  LONGEST_STATEMENT,
  type Statement,
  type StatementCreate,
  type StatementPromote,
  type Topic,
} from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Change } from "../change.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { ProjectDirectory } from "../projects/project-directory.ts";
import { assertActorMay } from "../rights.ts";
import type { Together } from "../together.ts";
import type { DocumentSync } from "./document-sync.ts";
import type { KnowledgeBrief } from "./knowledge-brief.ts";
import { type Known, topicsOf } from "./knowledge-pages.ts";
import { keyOf, type Written } from "./knowledge-text.ts";
import { KnowledgeWriting, type PageEdit } from "./knowledge-writing.ts";
import { type BriefAbout, KnownStatements, plain } from "./known-statements.ts";
import { accepted, originBy, promotedCopy, statusBy, superseded, withMore, writtenOf } from "./statement-rules.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  sync: DocumentSync;
  /** Hides a project's secrets, and the hall's, in what is kept. */
  redactorOf: RedactorOf;
}

type RedactorOf = (projectId: string | undefined) => Pick<Redactor, "text">;

/** The statements that are there, and what new ones need. */
export interface KnownPlaces {
  /** Of the project, if one is given. */
  own: readonly Known[];
  hall: readonly Known[];
  /** Hides secrets of the project and the hall. */
  hide: (text: string) => string;
  /** A day. */
  today: string;
}

/** One statement: its id, and its project unless it is the hall's. */
export interface StatementRef {
  id: string;
  project?: string | undefined;
}

/** Statements that last, of the hall and of each project: one on a line of its pages. */
export class Knowledge {
  readonly #parts: Parts;
  readonly #known: KnownStatements;
  readonly #writing: KnowledgeWriting;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#known = new KnownStatements(parts);
    this.#writing = new KnowledgeWriting(parts.core, parts.sync);
  }

  list(query: KnowledgeQuery): { statements: Statement[]; total: number } {
    return this.#known.list(query);
  }

  brief(projectId: string, about: BriefAbout): KnowledgeBrief {
    return this.#known.brief(projectId, about);
  }

  index(projectId: string | undefined, tokens: number): string {
    return this.#known.index(projectId, tokens);
  }

  /** By its id, or by its words. */
  get(project: string | undefined, sought: { id: string } | { text: string }): Statement {
    const by = "id" in sought ? sought : { key: keyOf(this.#kept(project, sought.text)) };
    return plain(this.#known.find(project, by));
  }

  /** `isSaid`: the words are the person's own, although an agent passes them on. */
  add(
    body: StatementCreate,
    change: Change,
    { isSaid = false }: { isSaid?: boolean } = {},
  ): Promise<{ statement: Statement; merged: boolean }> {
    const { project, topic, origin = originBy(change.actor) } = body;
    assertTopic(project, topic);
    const fresh: Written = {
      text: this.#kept(project, body.text),
      date: this.#today(),
      origins: [this.#parts.redactorOf(project).text(origin)],
      promoted: false,
      status: isSaid ? "accepted" : statusBy(change.actor),
    };
    return this.#inPlace(project, async () => {
      const key = keyOf(fresh.text);
      const standing = this.#known.all(project).find((known) => known.key === key);
      if (this.#isDone(change)) return { statement: this.get(project, { text: body.text }), merged: true };
      // What was promoted and is not the hall's any more would be shown nowhere.
      const isPromoted = standing?.promoted === true && this.#known.all(undefined).some((known) => known.key === key);
      const becomes = standing === undefined ? fresh : { ...withMore(standing, fresh), promoted: isPromoted };
      await this.#writing.write([{ projectId: project, topic: standing?.topic ?? topic, key, becomes }], change);
      return { statement: plain(this.#known.find(project, { key })), merged: standing !== undefined };
    });
  }

  update({ id, project }: StatementRef, text: string, change: Change): Promise<Statement> {
    return this.#inPlace(project, async () => {
      const standing = this.#known.find(project, { id }, change);
      const kept = this.#kept(project, text);
      const key = keyOf(kept);
      const twin = this.#known.all(project).find((known) => known.key === key && known.id !== id);
      if (twin !== undefined)
        throw new HallError("already_exists", `The same statement is already in '${twin.file}'.`, {
          file: twin.file,
          line: twin.line,
          hint: "Remove one of the two.",
        });
      const becomes: Written = {
        ...writtenOf(standing),
        text: kept,
        date: this.#today(),
        // The hall has the words as they were: others are shown as the project's own again.
        promoted: standing.promoted === true && key === standing.key,
        status: statusBy(change.actor),
        replacedBy: undefined,
      };
      await this.#writing.write([{ projectId: project, topic: standing.topic, key: standing.key, becomes }], change);
      return plain(this.#known.find(project, { key }));
    });
  }

  /** Confirms what an agent concluded, or takes back that something was replaced. Only a person does this. */
  accept({ id, project }: StatementRef, change: Change): Promise<Statement> {
    assertActorMay(change.actor, "answer");
    return this.#restate({ id, project }, change, (written) => accepted(written, this.#today()));
  }

  /** Keeps a statement that no longer counts. Only a person does this; of answers, a later answer. */
  supersede({ id, project }: StatementRef, by: string | undefined, change: Change): Promise<Statement> {
    assertActorMay(change.actor, "answer");
    return this.#restate({ id, project }, change, (written) => superseded(written, { by, today: this.#today() }));
  }

  remove({ id, project }: StatementRef, change: Change): Promise<void> {
    return this.#inPlace(project, async () => {
      const { topic, key } = this.#known.find(project, { id }, change);
      await this.#writing.write([{ projectId: project, topic, key, becomes: undefined }], change);
    });
  }

  /** Copies a project's statement to the hall's and marks it in the project, in one change. */
  promote(
    { project, id, topic: given }: StatementPromote,
    change: Change,
    { isSaid = false } = {},
  ): Promise<Statement> {
    const status = isSaid ? "accepted" : statusBy(change.actor);
    return this.#parts.projects.working(project, () =>
      this.#writing.alone([undefined, project], async () => {
        const standing = this.#known.find(project, { id });
        const own = topicsOf(undefined).find((one) => one === standing.topic);
        const today = this.#today();
        const text = this.#kept(project, standing.text);
        const copy = promotedCopy(standing, { project, text, today, status });
        const key = keyOf(copy.text);
        const twin = this.#known.all(undefined).find((known) => known.key === key);
        const topic = twin?.topic ?? given ?? own ?? "conventions";
        const becomes = twin === undefined ? copy : withMore(twin, copy);
        const edits = [{ projectId: undefined, topic, key, becomes }];
        const marked = { ...accepted(writtenOf(standing), today), promoted: true };
        // One that still waits for a person stays visible in its project.
        const mark = { projectId: project, topic: standing.topic, key: standing.key, becomes: marked };
        await this.#writing.write(status === "accepted" ? [...edits, mark] : edits, change);
        return plain(this.#known.find(undefined, { key }));
      }),
    );
  }

  /**
   * Makes changes to statements part of a larger change: alone on the pages of the hall and, if given, of a project, `decide`
   * says what becomes of them, and `carry` commits that together with its own. Both are called again when a person edits
   * one of the files in the meantime.
   */
  weave<Decided extends { edits: readonly PageEdit[] }, Result>(
    project: string | undefined,
    decide: (known: KnownPlaces) => Decided | Promise<Decided>,
    { carry, change }: { carry: (decided: Decided, part: Together | undefined) => Promise<Result>; change: Change },
  ): Promise<Result> {
    const places = project === undefined ? [undefined] : [undefined, project];
    const work = () =>
      this.#writing.alone(places, async () => {
        const decided = await decide({
          own: project === undefined ? [] : this.#known.all(project),
          hall: this.#known.all(undefined),
          hide: (text) => this.#parts.redactorOf(project).text(text),
          today: this.#today(),
        });
        return carry(decided, this.#writing.prepare(decided.edits, change));
      });
    return project === undefined ? work() : this.#parts.projects.working(project, work);
  }

  #restate({ id, project }: StatementRef, change: Change, next: (written: Written) => Written): Promise<Statement> {
    return this.#inPlace(project, async () => {
      const standing = this.#known.find(project, { id }, change);
      const { topic, key } = standing;
      await this.#writing.write([{ projectId: project, topic, key, becomes: next(writtenOf(standing)) }], change);
      return plain(this.#known.find(project, { key }));
    });
  }

  #inPlace<Result>(project: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const alone = () => this.#writing.alone([project], work);
    return project === undefined ? alone() : this.#parts.projects.working(project, alone);
  }

  /** Whether the same request, or call of an agent, was carried out before. */
  #isDone({ request }: Change): boolean {
    return request !== undefined && this.#parts.core.index.requests.get(request.key) !== undefined;
  }

  /** As it is kept: what stands for a secret may be longer than the secret. */
  #kept(project: string | undefined, text: string): string {
    return this.#parts.redactorOf(project).text(text).slice(0, LONGEST_STATEMENT).toWellFormed().trim();
  }

  #today(): string {
    return this.#parts.core.clock().toISOString().slice(0, 10);
  }
}

function assertTopic(project: string | undefined, topic: Topic): void {
  const topics = topicsOf(project);
  if (topics.includes(topic)) return;
  const whose = project === undefined ? "the workspace" : "a project";
  throw new HallError("invalid", `topic: ${whose} has ${topics.join(", ")}; not ${topic}.`);
}

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
import type { DocumentSync } from "./document-sync.ts";
import { briefFor, indexText, type KnowledgeBrief, together } from "./knowledge-brief.ts";
import { type KnowledgePage, KnowledgePages, type Known, topicsOf } from "./knowledge-pages.ts";
import { askedWords, byDate, ranked, stemOf } from "./knowledge-rank.ts";
import { keyOf, merged, type Written } from "./knowledge-text.ts";
import { KnowledgeWriting } from "./knowledge-writing.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  sync: DocumentSync;
  /** Hides a project's secrets, and the hall's, in what is kept. */
  redactorOf: RedactorOf;
}

type RedactorOf = (projectId: string | undefined) => Pick<Redactor, "text">;

/** Pages that a search over everything looks into. */
const MOST_PAGES = 200;
const ALL_PAGES = 20_000;
const BY_A_PERSON = "person";

/** Statements that last, of the hall and of each project: one on a line of its pages. */
export class Knowledge {
  readonly #parts: Parts;
  readonly #pages: KnowledgePages;
  readonly #writing: KnowledgeWriting;
  readonly #redactorOf: RedactorOf;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pages = new KnowledgePages(parts.core);
    this.#writing = new KnowledgeWriting(parts.core, parts.sync);
    this.#redactorOf = parts.redactorOf;
  }

  list(query: KnowledgeQuery): { statements: Statement[]; total: number } {
    const { project, topic, q, scope, limit } = query;
    if (project !== undefined) this.#parts.projects.assertKnown(project);
    if (scope === "project" && project === undefined)
      throw new HallError("invalid", "project: is required with this scope.");
    const words = q === undefined ? [] : askedWords(q);
    const { pages, counts } = this.#chosen({ project, scope }, words);
    const wanted = (item: Known) => counts(item) && (topic === undefined || item.topic === topic);
    const matches = q === undefined ? pages.flatMap(({ items }) => items).sort(byDate) : found(pages, { q, words });
    const shown = matches.filter(wanted);
    return { statements: shown.slice(0, limit).map(plain), total: shown.length };
  }

  /** By its id, or by its words. */
  get(project: string | undefined, sought: { id: string } | { text: string }): Statement {
    return plain(this.#find(project, "id" in sought ? sought : { key: this.#keyOf(project, sought.text) }));
  }

  add(body: StatementCreate, change: Change): Promise<{ statement: Statement; merged: boolean }> {
    const { project, topic, origin = BY_A_PERSON } = body;
    assertTopic(project, topic);
    const redact = (text: string) => this.#redactorOf(project).text(text);
    const date = this.#today();
    const fresh = { text: this.#kept(project, body.text), date, origins: [redact(origin)], promoted: false };
    return this.#inPlace(project, async () => {
      const key = keyOf(fresh.text);
      const standing = this.#all(project).find((known) => known.key === key);
      if (this.#isDone(change)) return { statement: this.get(project, { text: body.text }), merged: true };
      // What was promoted and is not the hall's any more would be shown nowhere.
      const promoted = standing?.promoted === true && this.#all(undefined).some((known) => known.key === key);
      const becomes = standing === undefined ? fresh : { ...merged(writtenOf(standing), fresh), promoted };
      await this.#writing.write({ projectId: project, topic: standing?.topic ?? topic, key, becomes }, change);
      return { statement: plain(this.#find(project, { key })), merged: standing !== undefined };
    });
  }

  update(
    { id, project }: { id: string; project?: string | undefined },
    text: string,
    change: Change,
  ): Promise<Statement> {
    return this.#inPlace(project, async () => {
      const standing = this.#find(project, { id }, change);
      const kept = this.#kept(project, text);
      const key = keyOf(kept);
      const twin = this.#all(project).find((known) => known.key === key && known.id !== id);
      if (twin !== undefined)
        throw new HallError("already_exists", `The same statement is already in '${twin.file}'.`, {
          file: twin.file,
          line: twin.line,
          hint: "Remove one of the two.",
        });
      // The hall has the words as they were: others are shown as the project's own again.
      const promoted = standing.promoted === true && key === standing.key;
      const becomes = { ...writtenOf(standing), text: kept, date: this.#today(), promoted };
      await this.#writing.write({ projectId: project, topic: standing.topic, key: standing.key, becomes }, change);
      return plain(this.#find(project, { key }));
    });
  }

  remove({ id, project }: { id: string; project?: string | undefined }, change: Change): Promise<void> {
    return this.#inPlace(project, async () => {
      const { topic, key } = this.#find(project, { id }, change);
      await this.#writing.write({ projectId: project, topic, key, becomes: undefined }, change);
    });
  }

  /**
   * Copies a project's statement to the hall's and marks it there. The copy comes first, and making it again changes
   * nothing: what a crash left between the two is made good by asking again.
   */
  promote({ project, id, topic: given }: StatementPromote, change: Change): Promise<Statement> {
    return this.#parts.projects.working(project, () =>
      this.#writing.alone([undefined, project], async () => {
        const standing = this.#find(project, { id });
        const { key, date = this.#today(), origins } = standing;
        const own = topicsOf(undefined).find((one) => one === standing.topic);
        const copy: Written = {
          text: this.#kept(project, standing.text),
          date,
          origins: origins.length === 0 ? [project] : origins.map((origin) => originIn(project, origin)),
          promoted: false,
        };
        const twin = this.#all(undefined).find((known) => known.key === keyOf(copy.text));
        const topic = twin?.topic ?? given ?? own ?? "conventions";
        const becomes = twin === undefined ? copy : merged(writtenOf(twin), copy);
        const { request: _, ...unasked } = change;
        await this.#writing.write({ projectId: undefined, topic, key: keyOf(copy.text), becomes }, unasked);
        const marked = { ...writtenOf(standing), date, promoted: true };
        await this.#writing.write({ projectId: project, topic: standing.topic, key, becomes: marked }, change);
        return plain(this.#find(undefined, { key: keyOf(copy.text) }));
      }),
    );
  }

  /** What a run of the project should know that is about this text, as far as the tokens reach. */
  brief(projectId: string, { text, tokens }: { text: string; tokens: number }): KnowledgeBrief {
    const { pages, counts } = this.#chosen({ project: projectId, scope: "all" }, []);
    return briefFor(pages, counts, text)(tokens);
  }

  /** For the prompt of an agent that lives on: the hall's statements and a project's, if one is named, the newest first. */
  index(projectId: string | undefined, tokens: number): string {
    const { pages, counts } = this.#chosen({ project: projectId, scope: projectId === undefined ? "hall" : "all" }, []);
    return indexText(pages.flatMap(({ items }) => items).filter(counts), tokens);
  }

  #chosen({ project, scope }: Pick<KnowledgeQuery, "project" | "scope">, words: readonly string[]) {
    const hall = scope === "project" ? [] : this.#pages.of(undefined);
    if (scope === "hall") return { pages: hall, counts: () => true };
    const own = project === undefined ? this.#everywhere(words) : this.#pages.of(project);
    return { pages: [...hall, ...own], counts: scope === "project" ? () => true : together(hall, own) };
  }

  /** The pages of all projects; with words, those that have one of them, as far as the index knows. */
  #everywhere(words: readonly string[]): KnowledgePage[] {
    const { documents, search } = this.#parts.core.index;
    const paths =
      words.length === 0
        ? documents.paths("knowledge", ALL_PAGES)
        : search.pathsWithAny({ begun: words.map(stemOf), kind: "knowledge", limit: MOST_PAGES });
    const pages = paths.map((path) => this.#pages.read(path));
    return pages.filter(({ items }) => items[0]?.projectId !== undefined);
  }

  #all(project: string | undefined): Known[] {
    return this.#pages.of(project).flatMap(({ items }) => items);
  }

  #find(project: string | undefined, sought: { id: string } | { key: string }, change?: Change): Known {
    if (project !== undefined) this.#parts.projects.assertKnown(project);
    const found = this.#all(project).find((one) => ("id" in sought ? one.id === sought.id : one.key === sought.key));
    const where = project === undefined ? "the workspace's knowledge" : `the knowledge of '${project}'`;
    if (found === undefined) throw new HallError("statement_not_found", `There is no such statement in ${where}.`);
    if (change?.ifMatch !== undefined && change.ifMatch !== found.etag)
      throw new HallError("version_mismatch", "The statement was changed since you read it.", { file: found.file });
    return found;
  }

  #inPlace<Result>(project: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const alone = () => this.#writing.alone([project], work);
    return project === undefined ? alone() : this.#parts.projects.working(project, alone);
  }

  /** Whether the same request, or call of an agent, was carried out before. */
  #isDone({ request }: Change): boolean {
    return request !== undefined && this.#parts.core.index.requests.get(request.key) !== undefined;
  }

  #keyOf(project: string | undefined, text: string): string {
    return keyOf(this.#kept(project, text));
  }

  /** As it is kept: what stands for a secret may be longer than the secret. */
  #kept(project: string | undefined, text: string): string {
    return this.#redactorOf(project).text(text).slice(0, LONGEST_STATEMENT).toWellFormed().trim();
  }

  #today(): string {
    return this.#parts.core.clock().toISOString().slice(0, 10);
  }
}

function found(pages: readonly KnowledgePage[], { q, words }: { q: string; words: readonly string[] }): Known[] {
  // A question without a word, such as "=>", is looked for as it stands.
  if (words.length === 0) return pages.flatMap(({ items }) => items.filter(({ text }) => text.includes(q)));
  return ranked(pages, words, { begun: true })
    .filter(({ score }) => score > 0)
    .map(({ item }) => item);
}

function assertTopic(project: string | undefined, topic: Topic): void {
  const topics = topicsOf(project);
  if (topics.includes(topic)) return;
  const whose = project === undefined ? "the workspace" : "a project";
  throw new HallError("invalid", `topic: ${whose} has ${topics.join(", ")}; not ${topic}.`);
}

function originIn(project: string, origin: string): string {
  return origin.startsWith(`${project}/`) ? origin : `${project}/${origin}`;
}

function writtenOf({ text, date, origins, promoted }: Known): Written {
  return { text, date, origins, promoted: promoted === true };
}

function plain({ key: _, ...statement }: Known): Statement {
  return statement;
}

import type { KnowledgeQuery, Statement } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import type { Change } from "../change.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { ProjectDirectory } from "../projects/project-directory.ts";
import { briefFor, indexText, type KnowledgeBrief, together } from "./knowledge-brief.ts";
import { type KnowledgePage, KnowledgePages, type Known } from "./knowledge-pages.ts";
import { askedWords, byDate, ranked, stemOf } from "./knowledge-rank.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
}

/** Pages that a search over everything looks into. */
const MOST_PAGES = 200;
const ALL_PAGES = 20_000;

export interface BriefAbout {
  text: string;
  tokens: number;
  /** The rest of its prompt that may have statements. */
  told?: string | undefined;
}

/** Finds statements on the pages of the workspace and of projects. */
export class KnownStatements {
  readonly #parts: Parts;
  readonly #pages: KnowledgePages;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pages = new KnowledgePages(parts.core);
  }

  list(query: KnowledgeQuery): { statements: Statement[]; total: number } {
    const { project, topic, q, scope, status, limit } = query;
    if (project !== undefined) this.#parts.projects.assertKnown(project);
    if (scope === "project" && project === undefined)
      throw new HallError("invalid", "project: is required with this scope.");
    const words = q === undefined ? [] : askedWords(q);
    const { pages, counts } = this.#chosen({ project, scope }, words);
    const hasStatus = statusFilter(status);
    const wanted = (item: Known) => counts(item) && hasStatus(item) && (topic === undefined || item.topic === topic);
    const matches = q === undefined ? pages.flatMap(({ items }) => items).sort(byDate) : found(pages, { q, words });
    const shown = matches.filter(wanted);
    return { statements: shown.slice(0, limit).map(plain), total: shown.length };
  }

  /** What a run of the project should know that is about this text, as far as the tokens reach, and without what it is told in any case. */
  brief(projectId: string, { text, tokens, told = "" }: BriefAbout): KnowledgeBrief {
    const { pages, counts } = this.#chosen({ project: projectId, scope: "all" }, []);
    return briefFor(pages, (item) => counts(item) && !told.includes(item.text), text)(tokens);
  }

  /** For the prompt of an agent that lives on: the hall's statements and a project's, if one is named, the newest first. */
  index(projectId: string | undefined, tokens: number): string {
    const { pages, counts } = this.#chosen({ project: projectId, scope: projectId === undefined ? "hall" : "all" }, []);
    return indexText(pages.flatMap(({ items }) => items).filter(counts), tokens);
  }

  /** Every statement of a project, or of the hall. */
  all(project: string | undefined): Known[] {
    return this.#pages.of(project).flatMap(({ items }) => items);
  }

  find(project: string | undefined, sought: { id: string } | { key: string }, change?: Change): Known {
    if (project !== undefined) this.#parts.projects.assertKnown(project);
    const found = this.all(project).find((one) => ("id" in sought ? one.id === sought.id : one.key === sought.key));
    const where = project === undefined ? "the workspace's knowledge" : `the knowledge of '${project}'`;
    if (found === undefined) throw new HallError("statement_not_found", `There is no such statement in ${where}.`);
    if (change?.ifMatch !== undefined && change.ifMatch !== found.etag)
      throw new HallError("version_mismatch", "The statement was changed since you read it.", { file: found.file });
    return found;
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
}

function found(pages: readonly KnowledgePage[], { q, words }: { q: string; words: readonly string[] }): Known[] {
  // A question without a word, such as "=>", is looked for as it is.
  if (words.length === 0) return pages.flatMap(({ items }) => items.filter(({ text }) => text.includes(q)));
  return ranked(pages, words, { begun: true })
    .filter(({ score }) => score > 0)
    .map(({ item }) => item);
}

function statusFilter(wanted: KnowledgeQuery["status"]): (item: Known) => boolean {
  if (wanted === "all") return () => true;
  if (wanted === "current") return ({ status }) => status !== "superseded";
  return ({ status }) => status === wanted;
}

export function plain({ key: _, ...statement }: Known): Statement {
  return statement;
}

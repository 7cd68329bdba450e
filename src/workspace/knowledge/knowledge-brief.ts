import { charactersIn } from "../../contract/words/tokens.ts";
import type { KnowledgePage, Known } from "./knowledge-pages.ts";
import { askedWords, byDate, ranked } from "./knowledge-rank.ts";
import { escalationOf } from "./statement-rules.ts";

const NOT_CONFIRMED = "not confirmed";

/** What is told to an agent, and what is left out. */
export interface KnowledgeBrief {
  /** One for each statement. */
  lines: string[];
  /** `<topic>-…` of the hall, `<project>/<topic>-…` of a project. */
  used: string[];
  of: number;
  /** How many of the lines no person has confirmed. */
  unconfirmed: number;
}

/** The hall's pages and a project's as they are read together: what both have, or was promoted, counts once. */
export function together(hall: readonly KnowledgePage[], own: readonly KnowledgePage[]): (item: Known) => boolean {
  const known = new Set(hall.flatMap(({ items }) => items.filter(isAccepted).map(({ key }) => key)));
  if (own.every(({ items }) => items.length === 0)) return () => true;
  return ({ projectId, promoted, key }) => projectId === undefined || (promoted !== true && !known.has(key));
}

/**
 * What is nearest to a text first, as far as the tokens reach. Agents' own conclusions come after what a person confirmed,
 * so that they displace none of it, and only in their own project. The same pages and text give the same brief.
 */
export function briefFor(pages: readonly KnowledgePage[], counts: (item: Known) => boolean, text: string) {
  const words = askedWords(text);
  return (tokens: number): KnowledgeBrief => {
    const items = ranked(pages, words).map(({ item }) => item);
    return within(confirmedFirst(items.filter((item) => counts(item) && !isForeign(item))), tokens);
  };
}

/** The newest first, as far as the tokens reach, with the number of those left out. */
export function indexText(items: Known[], tokens: number): string {
  const { lines, of } = within(confirmedFirst(items.sort(byDate)), tokens);
  const rest = of - lines.length;
  const more = rest === 0 ? [] : [`(${rest} more: find them with knowledge_search)`];
  return [...lines, ...more].join("\n");
}

function confirmedFirst(items: readonly Known[]): Known[] {
  return [...items.filter(isAccepted), ...items.filter(({ status }) => status === "pending")];
}

function isAccepted({ status }: Known): boolean {
  return status === "accepted";
}

/** Written for all projects by a program, and confirmed by no person. */
function isForeign({ projectId, status }: Known): boolean {
  return projectId === undefined && status === "pending";
}

/** The same words on two pages are told once. */
function within(all: readonly Known[], tokens: number): KnowledgeBrief {
  const items = [...new Map(all.toReversed().map((item) => [item.key, item])).values()].reverse();
  let left = charactersIn(tokens);
  const lines: string[] = [];
  const used: string[] = [];
  let unconfirmed = 0;
  for (const item of items) {
    const line = `- ${item.projectId === undefined ? "all projects: " : ""}${citedText(item)}`;
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    lines.push(line);
    if (item.status === "pending") unconfirmed++;
    used.push(item.projectId === undefined ? item.id : `${item.projectId}/${item.id}`);
  }
  return { lines, used, of: items.length, unconfirmed };
}

/** An answer is cited by its escalation, which has the rest; everything else by its day and origins. */
function citedText(item: Known): string {
  const { text, date, origins, status } = item;
  const escalation = escalationOf(item);
  if (escalation !== undefined && status === "accepted") return `${text} [${escalation}]`;
  const about = [...(date === undefined ? [] : [date]), ...origins, ...(status === "pending" ? [NOT_CONFIRMED] : [])];
  return about.length === 0 ? text : `${text} (${about.join(", ")})`;
}

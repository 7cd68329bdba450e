import type { Now } from "../../../src/contract/now.ts";
import { PERMISSION_WORD } from "../../../src/contract/words/queue-words.ts";

/** Something that waits for the person, to be said once. */
export interface News {
  /** The same for the same thing, in every tab. */
  key: string;
  title: string;
  body: string;
  /** The page that shows it. */
  path: string;
}

type Glance = Pick<Now, "needsMe" | "review">;

/** All that waits for the person. */
export function newsIn({ needsMe, review }: Glance): News[] {
  const needs = needsMe.map(
    ({ kind, origin, id, title, detail, run, projectId }): News => ({
      key: `${kind} ${id}`,
      title: `${headingOf({ kind, origin })}: ${title}`,
      body: detail,
      path: kind === "escalation" ? `/inbox?id=${encodeURIComponent(id)}` : placeOf(run?.id, projectId),
    }),
  );
  const reviews = review.map(
    ({ id, title, projectId }): News => ({
      key: `review ${id}`,
      title: `Ready for review: ${title}`,
      body: projectId,
      path: runPath(id),
    }),
  );
  return [...needs, ...reviews];
}

function headingOf({ kind, origin }: Pick<Glance["needsMe"][number], "kind" | "origin">): string {
  if (origin === "permission") return PERMISSION_WORD;
  return kind === "escalation" ? "Question" : "Needs you";
}

/** What was not there before. The first look says nothing: it is on the page already. */
export function freshNews(known: ReadonlySet<string> | undefined, now: readonly News[]): News[] {
  return known === undefined ? [] : now.filter(({ key }) => !known.has(key));
}

/** So many at once are one notification. */
const MOST_APART = 3;

export function grouped(fresh: readonly News[]): readonly News[] {
  if (fresh.length <= MOST_APART) return fresh;
  const body = fresh
    .slice(0, MOST_APART)
    .map(({ title }) => title)
    .join("\n");
  return [{ key: "many", title: `${fresh.length} decisions are waiting for you`, body, path: "/inbox" }];
}

function placeOf(runId: string | undefined, projectId: string | undefined): string {
  if (runId !== undefined) return runPath(runId);
  return projectId === undefined ? "/" : `/projects/${encodeURIComponent(projectId)}`;
}

function runPath(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

import type { Task } from "../../contract/documents/task.ts";
import type { Now } from "../../contract/now.ts";
import { hintText } from "../../contract/words/hint.ts";
import { type NowItem, nowGroups } from "../../contract/words/now-words.ts";

const MOST_SHOWN = 20;

/** What Now shows of these projects, and their blocked tasks, in words. `of`: undefined is all, and what belongs to none. */
export function attentionText(now: Now, blocked: readonly Task[], of?: ReadonlySet<string>): string {
  const isShown = ({ projectId }: { projectId?: string | undefined }) =>
    of === undefined || (projectId !== undefined && of.has(projectId));
  const groups = nowGroups(now)
    .map((group) => ({ ...group, items: group.items.filter(isShown) }))
    .filter(({ kind, items }) => kind !== "recent" && items.length > 0);
  const stuck = part(
    "Blocked tasks",
    blocked.filter(isShown).map(({ id, title, projectId }) => `${projectId}: ${id} ${title}`),
  );
  const needsPerson = stuck.length > 0 || groups.some(({ kind }) => kind === "needs-me" || kind === "review");
  const parts = groups.flatMap(({ title, items }) => part(title, items.map(itemText)));
  return [...(needsPerson ? [] : ["Nothing needs the person."]), ...parts, ...stuck].join("\n\n");
}

function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST_SHOWN ? [`- and ${lines.length - MOST_SHOWN} more`] : [];
  return [
    [`${title} (${lines.length}):`, ...lines.slice(0, MOST_SHOWN).map((line) => `- ${line}`), ...more].join("\n"),
  ];
}

function itemText({ title, projectId, state, detail, ref, hint }: NowItem): string {
  const place = projectId === undefined ? "" : `${projectId}: `;
  const id = ref === undefined ? "" : ` (${ref})`;
  const why = detail === undefined ? "" : ` ${detail}`;
  return `${place}${title}${id}: ${state}.${why}${hint === undefined ? "" : ` ${hintText(hint)}`}`;
}

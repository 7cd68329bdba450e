import type { BriefItem, Briefing } from "../../documents/autonomy/briefing.ts";
import { cutText } from "../cut-text.ts";
import { TEAM_STATUS_WORDS } from "../teams/team-phrases.ts";
import { BRIEFING_SECTIONS, type BriefingSection, RISK_WORDS } from "./briefing-words.ts";

/** One line of a briefing: a heading, something under it, or what is to be known of that. */
interface Line {
  level: "title" | "heading" | "item" | "detail" | "text";
  text: string;
  /** A page of the dashboard. */
  link?: string | undefined;
}

const NOTHING = "Nothing happened, and nothing is waiting for you.";

/** For terminals and chats. `most`: entries of each list. */
export function briefingText(briefing: Briefing, most = Number.POSITIVE_INFINITY): string {
  return linesOf(briefing, most)
    .flatMap(({ level, text }) => {
      const shown = oneLine(text);
      if (level === "title" || level === "text") return [shown];
      if (level === "heading") return ["", shown];
      return [level === "item" ? `  ${shown}` : `    ${shown}`];
    })
    .join("\n");
}

/** For `daily/<day>.md`. `base`: where the dashboard is. */
export function briefingMarkdown(briefing: Briefing, base: string): string {
  return linesOf(briefing, Number.POSITIVE_INFINITY)
    .map(({ level, text, link }) => {
      const shown = markdownLine(text);
      const page = link === undefined ? shown : `${shown} ([open](${new URL(link, base).href.replaceAll(")", "%29")}))`;
      if (level === "title") return `## ${shown}`;
      if (level === "heading") return `\n### ${shown}\n`;
      if (level === "text") return `\n${page}`;
      return level === "item" ? `- ${page}` : `  - ${page}`;
    })
    .join("\n");
}

/** What others wrote, as one line of Markdown in which nothing acts. */
export function markdownLine(text: string): string {
  return escaped(oneLine(text));
}

/** How many decisions wait, such as `2 decisions, 1 question`. */
export function needsText(needs: Briefing["needs"]): string {
  const some = BRIEFING_SECTIONS.filter((name) => needs[name].count > 0);
  return some.map((name) => plural(needs[name].count, name.slice(0, -1))).join(", ");
}

export function sectionTitle(name: BriefingSection, count: number): string {
  return `${name.toUpperCase()} (${count})`;
}

function linesOf(briefing: Briefing, most: number): Line[] {
  const { day, timezone, from, until, summary, isEmpty } = briefing;
  return [
    { level: "title", text: `Briefing for ${day}` },
    { level: "text", text: `${clock(from, timezone)} to ${clock(until, timezone)}, ${timezone}` },
    ...(summary === undefined ? [] : [{ level: "text" as const, text: summary }]),
    ...(isEmpty ? [{ level: "text" as const, text: NOTHING }] : []),
    ...doneLines(briefing, most),
    ...spentLines(briefing),
    ...listed(
      "LEARNED",
      briefing.learned.map(({ text, projectId, link }) => item(tagged(projectId, text), link)),
      most,
    ),
    ...listed(
      `AT RISK (${briefing.risks.length})`,
      briefing.risks.map(({ kind, projectId, text, link }) =>
        item(tagged(projectId, `${RISK_WORDS[kind]}: ${text}`), link),
      ),
      most,
    ),
    ...BRIEFING_SECTIONS.flatMap((name) => needLines(name, briefing.needs[name], most)),
    ...stillLines(briefing, most),
  ];
}

function doneLines({ done }: Briefing, most: number): Line[] {
  const { counts, merges, teams, tasks, runs } = done;
  const facts = [
    counts.completed > 0 && `${plural(counts.completed, "run")} completed`,
    counts.failed > 0 && `${plural(counts.failed, "run")} failed`,
    counts.stopped > 0 && `${plural(counts.stopped, "run")} stopped`,
    counts.tasks > 0 && `${plural(counts.tasks, "task")} done`,
    counts.merges > 0 && `${plural(counts.merges, "result")} merged`,
    counts.gatesPassed + counts.gatesFailed > 0 && `gates: ${counts.gatesPassed} passed, ${counts.gatesFailed} failed`,
    counts.asked > 0 && `${plural(counts.asked, "question")} asked`,
    counts.answered > 0 && `${counts.answered} answered`,
  ].filter((fact) => fact !== false);
  if (facts.length === 0) return [];
  const merged = new Set(merges.map(({ id }) => id));
  const finished = new Set(runs.map(({ projectId, taskId }) => `${projectId}/${taskId}`));
  const lists = [
    ...teams.map(({ name, status, projectId, link }) =>
      item(tagged(projectId, `Team ${name}: ${TEAM_STATUS_WORDS[status].toLowerCase()}`), link),
    ),
    ...merges.map(({ title, projectId, taskId, target, commit, link }) => {
      const proof = commit === undefined ? "accepted" : `merged into ${target} as ${commit.slice(0, 10)}`;
      return item(tagged(projectId, `${task(taskId, title)}: ${proof}`), link);
    }),
    ...runs
      .filter(({ id, status }) => status === "completed" && !merged.has(id))
      .map(({ title, projectId, taskId, delivery, link }) =>
        item(tagged(projectId, `${task(taskId, title)}: ${delivery === "review" ? "in review" : "completed"}`), link),
      ),
    ...tasks
      .filter(({ projectId, id }) => !finished.has(`${projectId}/${id}`))
      .map(({ id, title, projectId, link }) => item(tagged(projectId, `${task(id, title)}: done`), link)),
  ];
  return [{ level: "heading", text: "DONE" }, { level: "text", text: facts.join(" · ") }, ...cut(lists, most)];
}

function spentLines({ spent }: Briefing): Line[] {
  if (spent.calls === 0 && spent.costUsd === 0) return [];
  const projects = spent.byProject.filter(({ costUsd }) => costUsd > 0);
  const parts = projects.map(({ projectId, costUsd, costKnown }) => `${projectId} ${dollars(costUsd, costKnown)}`);
  return [
    { level: "heading", text: "SPENT" },
    { level: "text", text: `${dollars(spent.costUsd, spent.costKnown)} in ${plural(spent.calls, "model call")}` },
    ...(parts.length < 2 ? [] : [item(parts.join(", "))]),
  ];
}

function needLines(
  name: BriefingSection,
  { count, items }: { count: number; items: BriefItem[] },
  most: number,
): Line[] {
  const shown = items.slice(0, most);
  const left = count - shown.length;
  return [
    { level: "heading", text: sectionTitle(name, count) },
    ...shown.flatMap((each) => [item(`${each.tag} ${each.question}`, each.link), ...itemDetails(each)]),
    ...(left > 0 ? [item(`and ${left} more in the inbox`, "/inbox")] : []),
  ];
}

function itemDetails({ suggested, blocks, details, type }: BriefItem): Line[] {
  const detail = (text: string, link?: string): Line => ({ level: "detail", text, link });
  const reason = suggested === undefined || suggested.reason === "" ? "" : ` (${suggested.reason})`;
  return [
    ...(suggested === undefined ? [] : [detail(`Suggested: ${suggested.label}${reason}`)]),
    ...(blocks === undefined
      ? []
      : [detail(blocks.kind === "task" ? `Blocks: ${blocks.taskId} "${blocks.title}"` : "Blocks: entire initiative")]),
    ...(details !== undefined && type === "approval" ? [detail(`Details: ${details}`, details)] : []),
  ];
}

function stillLines({ stillTrue: { grants, running, branches, skipped } }: Briefing, most: number): Line[] {
  return [
    ...listed(
      `STILL TRUE: OPEN PERMISSIONS (${grants.count})`,
      grants.items.map(({ projectId, text, scope, link }) => item(tagged(projectId, `${text} (${scope})`), link)),
      most,
    ),
    ...listed(
      `STILL TRUE: RUNNING (${running.count})`,
      running.items.map(({ projectId, title, waitingFor, link }) =>
        item(tagged(projectId, waitingFor === undefined ? title : `${title}, waiting for ${waitingFor}`), link),
      ),
      most,
    ),
    ...listed(
      `STILL TRUE: UNMERGED BRANCHES (${branches.count})`,
      branches.items.map(({ projectId, title, branch, state, link }) =>
        item(tagged(projectId, `${branch} (${state}): ${title}`), link),
      ),
      most,
    ),
    ...listed(
      `STILL TRUE: SKIPPED TRIGGERS (${skipped.count})`,
      skipped.items.map(({ text, link }) => item(text, link)),
      most,
    ),
  ];
}

function listed(heading: string, lines: readonly Line[], most: number): Line[] {
  return lines.length === 0 ? [] : [{ level: "heading", text: heading }, ...cut(lines, most)];
}

function cut(lines: readonly Line[], most: number): Line[] {
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), item(`and ${left} more`)] : [...lines];
}

function item(text: string, link?: string): Line {
  return { level: "item", text, link };
}

function tagged(projectId: string | undefined, text: string): string {
  return projectId === undefined ? text : `[${projectId}] ${text}`;
}

function task(id: string | undefined, title: string): string {
  return id === undefined ? title : `${id} ${title}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function dollars(usd: number, isKnown: boolean): string {
  const amount = usd !== 0 && usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2);
  return `${isKnown ? "" : "≈ "}$${amount}`;
}

function clock(at: string, timeZone: string): string {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat("sv-SE", { timeZone, ...parts }).format(new Date(at));
}

/** What others wrote stays on its line, and nothing in it acts on a terminal. */
function oneLine(text: string): string {
  return cutText(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ")
      .trim(),
    1_200,
  );
}

/** Nothing in it is a link, a tag or a marker of the file. */
function escaped(text: string): string {
  return text
    .replace(/[\\`[\]]/g, "\\$&")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

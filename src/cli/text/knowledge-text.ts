import type { Statement } from "../../contract/documents/knowledge.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { originText } from "../../contract/words/party-words.ts";
import { oneLine } from "./plain-text.ts";
import { count } from "./text-card.ts";
import { type Column, type TableSpace, textTable } from "./text-table.ts";

/** The marks that replace what was hidden. */
const MARKS = /\[secret(?:: [\w.-]{1,60})?\]/g;

const columns: Column<Statement>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "(all)", spare: 2 },
  { title: "STATUS", text: statusText },
  { title: "DATE", text: ({ date }) => date ?? "", spare: 1 },
  { title: "STATEMENT", text: ({ text }) => oneLine(text), flexible: true },
  { title: "FROM", text: ({ origins }) => oneLine(origins.map(originText).join(", ")), spare: 3 },
];

export function statementTable(statements: readonly Statement[], space: TableSpace): string {
  return textTable(columns, statements, space);
}

/** Most are accepted, which therefore needs no word. */
function statusText({ status, replacedBy }: Statement): string {
  if (status === "accepted") return "";
  return oneLine(replacedBy === undefined ? status : `${status} by ${replacedBy}`);
}

export function hiddenLines(given: string, kept: string): string[] {
  const marksIn = (text: string) => text.match(MARKS)?.length ?? 0;
  return marksIn(kept) > marksIn(given)
    ? [`Text that looks like a secret was removed. Saved as: ${oneLine(kept)}`]
    : [];
}

export function emptyKnowledge(
  calledAs: string,
  { isSearch, status }: { isSearch: boolean; status?: string | undefined },
): string {
  if (isSearch) return "No matches. Try fewer or shorter words.";
  if (status === "pending") return "Nothing to accept: every statement is confirmed.";
  if (status === "superseded") return "No superseded statements.";
  return `No knowledge yet. Add a statement with '${calledAs} knowledge add TEXT'.`;
}

/** Each question with the answers that it has. */
export function contradictionsText({ contradictions }: RouteResponse<"listContradictions">, space: TableSpace): string {
  if (contradictions.length === 0) return "No contradictions.";
  return contradictions
    .map(({ question, statements }) => `${oneLine(question)}\n${statementTable(statements, space)}`)
    .join("\n\n");
}

export function usesText(
  { runs, escalations, searchedRuns }: RouteResponse<"getKnowledgeUses">,
  space: TableSpace,
): string {
  const where = `the ${count(searchedRuns, "newest run")} and in answers`;
  if (runs.length + escalations.length === 0) return `Not used in ${where}.`;
  return [
    ...(runs.length === 0 ? [] : [textTable(runColumns, runs, space)]),
    ...(escalations.length === 0 ? [] : [textTable(answerColumns, escalations, space)]),
  ].join("\n\n");
}

type Uses = RouteResponse<"getKnowledgeUses">;

const runColumns: Column<Uses["runs"][number]>[] = [
  { title: "RUN", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId, spare: 1 },
  { title: "TASK", text: ({ taskId }) => taskId, spare: 2 },
  { title: "STATUS", text: ({ status }) => status },
  { title: "TITLE", text: ({ title }) => oneLine(title), flexible: true },
];

const answerColumns: Column<Uses["escalations"][number]>[] = [
  { title: "ESCALATION", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "(all)", spare: 1 },
  { title: "QUESTION", text: ({ question }) => oneLine(question), flexible: true },
];

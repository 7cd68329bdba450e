import { HallError } from "../../contract/errors.ts";
import type { Statement, StatementPromote, Topic } from "../../contract/knowledge.ts";
import { type Action, type Context, chosenProject, requiredProject } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { count } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

/** The newest of them: older ones are found by what they say. */
const MOST_LISTED = 1_000;

interface Place {
  project?: string | undefined;
  hall?: boolean | undefined;
}

export const knowledgeList: Action<"knowledge list"> = async (input, context) => {
  await show(input, context);
  return 0;
};

export const knowledgeSearch: Action<"knowledge search"> = async ({ query: q, ...input }, context) => {
  if (q.trim() === "") throw new HallError("usage", "What is to be found?", { hint: "Give some words." });
  await show({ ...input, q }, context);
  return 0;
};

export const knowledgeAdd: Action<"knowledge add"> = async ({ text, topic, origin, ...place }, context) => {
  const { call, output } = context;
  const body = { text, topic: topic as Topic | undefined, origin, project: projectOf(place, context) };
  const answer = await call("addKnowledge", { body });
  const { statement, merged } = answer;
  const done = merged ? "It was known already; date and origins are up to date" : "Added";
  output.answer(answer, () =>
    [
      `${done}: ${statement.id} in ${oneLine(statement.file)}, line ${statement.line}.`,
      ...hiddenLines(text, statement.text),
    ].join("\n"),
  );
  return 0;
};

export const knowledgeEdit: Action<"knowledge edit"> = async ({ statement, text, ifMatch, ...place }, context) => {
  const { call, output } = context;
  const { id, projectId } = await find(statement, place, context);
  const answer = await call("updateKnowledge", {
    params: { id },
    query: { project: projectId },
    body: { text },
    ifMatch,
  });
  const where = projectId === undefined ? " for all projects" : "";
  output.answer(answer, () =>
    [`Changed${where}; it is ${answer.statement.id} now.`, ...hiddenLines(text, answer.statement.text)].join("\n"),
  );
  return 0;
};

export const knowledgePromote: Action<"knowledge promote"> = async ({ statement, project, topic }, context) => {
  const { call, output } = context;
  const own = requiredProject(project, context);
  const { id } = await find(statement, { project: own, scope: "project" }, context);
  const body = { project: own, id, topic: topic as StatementPromote["topic"] };
  const answer = await call("promoteKnowledge", { body });
  output.answer(
    answer,
    () => `It holds for all projects now: ${answer.statement.id} in ${oneLine(answer.statement.file)}.`,
  );
  return 0;
};

export const knowledgeRemove: Action<"knowledge remove"> = async ({ statement, ifMatch, ...place }, context) => {
  const { call, output } = context;
  const { id, projectId, text } = await find(statement, place, context);
  const answer = await call("removeKnowledge", { params: { id }, query: { project: projectId }, ifMatch });
  const where = projectId === undefined ? "Removed for all projects" : "Removed";
  output.answer(answer, () => `${where}: ${oneLine(text)}`);
  return 0;
};

function projectOf({ project, hall }: Place, context: Context): string | undefined {
  if (hall !== true) return chosenProject(project, context);
  if (project === undefined) return undefined;
  throw new HallError("usage", "--hall and -p exclude each other.");
}

interface Wanted extends Place {
  q?: string;
  topic?: string | undefined;
  limit?: number | undefined;
}

async function show({ q, topic, limit, ...place }: Wanted, context: Context): Promise<void> {
  const { call, output } = context;
  const project = projectOf(place, context);
  const scope = place.hall === true ? ("hall" as const) : undefined;
  const query = { q, topic: topic as Topic | undefined, limit, project, scope };
  const answer = await call("listKnowledge", { query });
  output.answer(answer, () => {
    const { statements, total } = answer;
    if (statements.length === 0)
      return q === undefined ? nothingYet(output.calledAs) : "Nothing was found. Try fewer or shorter words.";
    const more =
      total > statements.length ? [`… and ${count(total - statements.length, "more statement")}; see --limit.`] : [];
    return [textTable(columns, statements, output), ...more].join("\n");
  });
}

function nothingYet(calledAs: string): string {
  return `Nothing is known yet. Add a statement with '${calledAs} knowledge add TEXT'.`;
}

type Scope = "hall" | "project" | "all";

/**
 * Ids are long: their last characters will do when they fit only one. Looked for among what is shown, so what was promoted
 * is the hall's; otherwise a project's own come first.
 */
async function find(given: string, where: Place & { scope?: Scope }, context: Context): Promise<Statement> {
  const project = projectOf(where, context);
  const query = { project, scope: where.scope ?? (where.hall === true ? "hall" : "all"), limit: MOST_LISTED } as const;
  const { statements } = await context.call("listKnowledge", { query });
  const all = statements.filter(({ id }) => id.endsWith(given.trim().toLowerCase()));
  const own = project === undefined ? [] : all.filter(({ projectId }) => projectId === project);
  const fitting = own.length > 0 ? own : all;
  if (fitting.length > 1)
    throw new HallError("usage", `'${given}' is the end of ${fitting.length} statements.`, {
      hint: "Give more of the id, or the project with -p.",
    });
  if (fitting[0] !== undefined) return fitting[0];
  throw new HallError("statement_not_found", `There is no statement whose id ends with '${given}'.`);
}

/** The marks that stand for what was hidden. */
const MARKS = /\[secret(?:: [\w.-]{1,60})?\]/g;

function hiddenLines(given: string, kept: string): string[] {
  const marksIn = (text: string) => text.match(MARKS)?.length ?? 0;
  return marksIn(kept) > marksIn(given) ? [`What looks like a secret was hidden in it. Kept is: ${oneLine(kept)}`] : [];
}

const columns: Column<Statement>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "(all)", spare: 2 },
  { title: "DATE", text: ({ date }) => date ?? "", spare: 1 },
  { title: "STATEMENT", text: ({ text }) => oneLine(text), flexible: true },
  { title: "FROM", text: ({ origins }) => oneLine(origins.join(", ")), spare: 3 },
];

import type { Statement, StatementPromote, Topic } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { OptionSpec } from "../command-spec.ts";
import { type Context, chosenProject, requiredProject } from "../context.ts";
import { ifMatch, project } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

/** The newest of them: older ones are found by what they say. */
const MOST_LISTED = 1_000;
/** The marks that stand for what was hidden. */
const MARKS = /\[secret(?:: [\w.-]{1,60})?\]/g;

export const KNOWLEDGE_TOPICS = ["conventions", "preferences", "decisions", "patterns"] as const;

const topic = {
  kind: "text",
  short: "t",
  value: "TOPIC",
  help: "Topic page",
  words: KNOWLEDGE_TOPICS,
} as const satisfies OptionSpec;

const hall = {
  kind: "flag",
  help: "Workspace knowledge only; ignores GUILDHALL_PROJECT",
} as const satisfies OptionSpec;

const statement = { kind: "one", help: "Statement id, or its last characters" } as const;

const seen = { ...project, help: "Project and workspace knowledge (default: $GUILDHALL_PROJECT or all)" } as const;

const limit = { kind: "number", value: "N", help: "Maximum number of results (1 to 1000, default 100)" } as const;

export const commands = {
  "knowledge list": command(
    {
      summary: "List knowledge, newest first",
      options: { project: seen, hall, topic, limit },
      examples: ["knowledge list", "knowledge list -p shop -t decisions", "knowledge list --hall --json"],
    },
    async (input, context) => {
      await show(input, context);
      return 0;
    },
  ),

  "knowledge search": command(
    {
      summary: "Search knowledge, best and newest matches first",
      args: { query: { kind: "rest", help: "Search terms" } },
      options: { project: seen, hall, topic, limit },
      examples: ["knowledge search package manager", "knowledge search tests -p shop"],
    },
    async ({ query: q, ...input }, context) => {
      if (q.trim() === "") throw new HallError("usage", "Missing search terms.", { hint: "Pass one or more words." });
      await show({ ...input, q }, context);
      return 0;
    },
  ),

  "knowledge add": command(
    {
      summary: "Add a statement to the knowledge of a project or the workspace",
      detail:
        "Statements with the same words, ignoring case and punctuation, are merged: the newest date and all origins are kept.",
      args: { text: { kind: "rest", help: "One or two sentences" } },
      options: {
        project: { ...project, help: "Project it applies to (default: $GUILDHALL_PROJECT or all projects)" },
        hall,
        topic,
        origin: { kind: "text", value: "TEXT", help: "Source, such as a task (default: 'person')" },
      },
      examples: [
        "knowledge add 'Use pnpm, not npm.'",
        "knowledge add 'Prices are in cents.' -p shop -t decisions --origin TASK-012",
      ],
    },
    async ({ text, topic, origin, ...place }, context) => {
      const { call, output } = context;
      const body = { text, topic: topic as Topic | undefined, origin, project: projectOf(place, context) };
      const answer = await call("addKnowledge", { body });
      const { statement, merged } = answer;
      const done = merged ? "Already known; updated the date and origins" : "Added";
      output.answer(answer, () =>
        [
          `${done}: ${statement.id} in ${oneLine(statement.file)}, line ${statement.line}.`,
          ...hiddenLines(text, statement.text),
        ].join("\n"),
      );
      return 0;
    },
  ),

  "knowledge edit": command(
    {
      summary: "Reword a statement",
      args: { statement, text: { kind: "rest", help: "New text" } },
      options: { project: seen, hall, ifMatch },
      examples: ["knowledge edit 3f2a9b 'Use pnpm 10, not npm.'"],
    },
    async ({ statement, text, ifMatch, ...place }, context) => {
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
        [`Updated${where}. New id: ${answer.statement.id}`, ...hiddenLines(text, answer.statement.text)].join("\n"),
      );
      return 0;
    },
  ),

  "knowledge promote": command(
    {
      summary: "Copy a project's statement to the workspace knowledge",
      args: { statement },
      options: {
        project,
        topic: { ...topic, help: "Target page (default: same page, or conventions)" },
      },
      examples: ["knowledge promote 3f2a9b -p shop"],
    },
    async ({ statement, project, topic }, context) => {
      const { call, output } = context;
      const own = requiredProject(project, context);
      const { id } = await find(statement, { project: own, scope: "project" }, context);
      const body = { project: own, id, topic: topic as StatementPromote["topic"] };
      const answer = await call("promoteKnowledge", { body });
      output.answer(
        answer,
        () => `Now applies to all projects: ${answer.statement.id} in ${oneLine(answer.statement.file)}.`,
      );
      return 0;
    },
  ),

  "knowledge remove": command(
    {
      summary: "Remove a statement",
      args: { statement },
      options: { project: seen, hall, ifMatch },
      examples: ["knowledge remove 3f2a9b -p shop", "knowledge remove conventions-0c1d3f2a9b --hall"],
    },
    async ({ statement, ifMatch, ...place }, context) => {
      const { call, output } = context;
      const { id, projectId, text } = await find(statement, place, context);
      const answer = await call("removeKnowledge", { params: { id }, query: { project: projectId }, ifMatch });
      const where = projectId === undefined ? "Removed for all projects" : "Removed";
      output.answer(answer, () => `${where}: ${oneLine(text)}`);
      return 0;
    },
  ),
};

interface Place {
  project?: string | undefined;
  hall?: boolean | undefined;
}

function projectOf({ project, hall }: Place, context: Context): string | undefined {
  if (hall !== true) return chosenProject(project, context);
  if (project === undefined) return undefined;
  throw new HallError("usage", "--hall and -p can't be combined.");
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
      return q === undefined ? nothingYet(output.calledAs) : "No matches. Try fewer or shorter words.";
    const more =
      total > statements.length
        ? [`… and ${count(total - statements.length, "more statement")}. Use --limit to see more.`]
        : [];
    return [textTable(columns, statements, output), ...more].join("\n");
  });
}

function nothingYet(calledAs: string): string {
  return `No knowledge yet. Add a statement with '${calledAs} knowledge add TEXT'.`;
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
    throw new HallError("usage", `'${given}' matches ${fitting.length} statements.`, {
      hint: "Pass more of the id, or the project with -p.",
    });
  if (fitting[0] !== undefined) return fitting[0];
  throw new HallError("statement_not_found", `No statement id ends with '${given}'.`);
}

function hiddenLines(given: string, kept: string): string[] {
  const marksIn = (text: string) => text.match(MARKS)?.length ?? 0;
  return marksIn(kept) > marksIn(given)
    ? [`Text that looks like a secret was removed. Saved as: ${oneLine(kept)}`]
    : [];
}

const columns: Column<Statement>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "(all)", spare: 2 },
  { title: "DATE", text: ({ date }) => date ?? "", spare: 1 },
  { title: "STATEMENT", text: ({ text }) => oneLine(text), flexible: true },
  { title: "FROM", text: ({ origins }) => oneLine(origins.join(", ")), spare: 3 },
];

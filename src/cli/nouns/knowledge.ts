import type { StatementPromote, Topic } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { OptionSpec } from "../command-spec.ts";
import { type Context, requiredProject } from "../context.ts";
import { ifMatch, project } from "../shared-options.ts";
import {
  findStatement,
  hall,
  projectOf,
  type StatementFilter,
  type StatementPlace,
  seen,
  statement,
} from "../statements.ts";
import { contradictionsText, emptyKnowledge, hiddenLines, statementTable } from "../text/knowledge-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";

export const KNOWLEDGE_TOPICS = ["conventions", "preferences", "decisions", "patterns"] as const;

const topic = {
  kind: "text",
  short: "t",
  value: "TOPIC",
  help: "Topic page",
  words: KNOWLEDGE_TOPICS,
} as const satisfies OptionSpec;

const status = {
  kind: "text",
  value: "STATUS",
  help: "pending, accepted, superseded, or all (default: pending and accepted)",
  words: ["pending", "accepted", "superseded", "all"],
} as const satisfies OptionSpec;

const limit = { kind: "number", value: "N", help: "Maximum number of results (1 to 1000, default 100)" } as const;

export const commands = {
  "knowledge list": command(
    {
      summary: "List knowledge, newest first",
      options: {
        project: seen,
        hall,
        topic,
        status,
        contradictions: { kind: "flag", help: "Only decisions that answer the same question differently" },
        limit,
      },
      examples: [
        "knowledge list",
        "knowledge list -p shop -t decisions",
        "knowledge list --status pending",
        "knowledge list --hall --json",
      ],
    },
    async ({ contradictions, ...input }, context) => {
      if (contradictions === true) await showContradictions(input, context);
      else await show(input, context);
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
      const { id, projectId } = await findStatement(statement, place, context);
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
      const { id } = await findStatement(statement, { project: own, scope: "project" }, context);
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
      const { id, projectId, text } = await findStatement(statement, place, context);
      const answer = await call("removeKnowledge", { params: { id }, query: { project: projectId }, ifMatch });
      const where = projectId === undefined ? "Removed for all projects" : "Removed";
      output.answer(answer, () => `${where}: ${oneLine(text)}`);
      return 0;
    },
  ),
};

interface Wanted extends StatementPlace {
  q?: string;
  topic?: string | undefined;
  status?: string | undefined;
  limit?: number | undefined;
}

async function show({ q, topic, status, limit, ...place }: Wanted, context: Context): Promise<void> {
  const { call, output } = context;
  const project = projectOf(place, context);
  const scope = place.hall === true ? ("hall" as const) : undefined;
  const query = { q, topic: topic as Topic | undefined, status: status as StatementFilter, limit, project, scope };
  const answer = await call("listKnowledge", { query });
  output.answer(answer, () => {
    const { statements, total } = answer;
    if (statements.length === 0) return emptyKnowledge(output.calledAs, { isSearch: q !== undefined, status });
    const more =
      total > statements.length
        ? [`… and ${count(total - statements.length, "more statement")}. Use --limit to see more.`]
        : [];
    return [statementTable(statements, output), ...more].join("\n");
  });
}

async function showContradictions(place: StatementPlace, context: Context): Promise<void> {
  const { call, output } = context;
  const answer = await call("listContradictions", { query: { project: projectOf(place, context) } });
  output.answer(answer, () => contradictionsText(answer, output));
}

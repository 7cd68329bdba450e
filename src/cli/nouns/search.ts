import { HallError } from "../../contract/errors.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { SearchHit } from "../../contract/routes/search-routes.ts";
import { command } from "../command.ts";
import { type Context, chosenProject } from "../context.ts";
import { onlyProject } from "../shared-options.ts";
import { count, localTime } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

export const SEARCH_KINDS = [
  "task",
  "role",
  "project",
  "knowledge",
  "artifact",
  "context",
  "plan",
  "run",
  "escalation",
  "gate",
] as const;

const SILENCE_MS = 600_000;

export const commands = {
  search: command(
    {
      summary:
        "Search tasks, roles, projects, knowledge, artifacts, context, plans, runs, escalations and gate reports",
      detail:
        "Finished runs are searched too: messages, tool calls and errors, " +
        "up to 64,000 characters each. Use 'run show ID' to open a run.",
      args: { query: { kind: "rest", help: "Search terms" } },
      options: {
        project: onlyProject,
        kind: { kind: "text", value: "KIND", help: "Filter by kind", words: SEARCH_KINDS },
        limit: { kind: "number", value: "N", help: "Maximum number of results (1 to 100, default 20)" },
      },
      examples: ["search login timeout", "search 'rate limit' -p shop --kind task", "search rounding --kind run"],
    },
    async (input, context) => {
      await showHits({ ...input, kind: input.kind as Kind }, context);
      return 0;
    },
  ),

  "index rebuild": command(
    {
      summary: "Rebuild the index from the files",
      examples: ["index rebuild"],
    },
    async (_, { call, output }) => {
      const answer = await call("rebuildIndex", { silenceMs: SILENCE_MS });
      output.answer(answer, () => {
        const done = `Rebuilt the index from ${count(answer.files, "file")} in ${Math.round(answer.ms)} ms.`;
        return answer.problems === 0
          ? done
          : `${done}\n${count(answer.problems, "problem")}: '${output.calledAs} doctor' lists them.`;
      });
      return 0;
    },
  ),
};

type Kind = RouteQuery<"search">["kind"];

interface SearchInput {
  query: string;
  project?: string | undefined;
  kind?: Kind;
  limit?: number | undefined;
}

export async function showHits({ query, project, kind, limit }: SearchInput, context: Context): Promise<void> {
  const { call, output } = context;
  if (query.trim() === "") throw new HallError("usage", "Missing search terms.", { hint: "Pass one or more words." });
  const answer = await call("search", { query: { q: query, project: chosenProject(project, context), kind, limit } });
  output.answer(answer, () => {
    const { hits, unread } = answer;
    const shown = hits.length === 0 ? nothing(output.calledAs) : textTable(columns, hits, output);
    return unread === undefined
      ? shown
      : `${shown}\n${count(unread, "run")} still being indexed. Search again in a moment.`;
  });
}

function nothing(calledAs: string): string {
  return `No matches. Try fewer or shorter words. See '${calledAs} search --help' for what is searched.`;
}

const columns: Column<SearchHit>[] = [
  { title: "KIND", text: ({ kind }) => kind, style: () => "dim" },
  {
    title: "WHERE",
    text: ({ projectId, id }) => (projectId === undefined || projectId === id ? id : `${projectId}/${id}`),
    style: () => "bold",
  },
  { title: "STATUS", text: ({ status }) => status ?? "", spare: 1 },
  { title: "ROLE", text: ({ roleId }) => roleId ?? "", spare: 3 },
  { title: "CHANGED", text: ({ updatedAt }) => (updatedAt ? localTime(updatedAt) : ""), spare: 4 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
  { title: "FOUND", text: ({ snippet }) => snippet.replace(/\s+/g, " "), flexible: true, spare: 2 },
];

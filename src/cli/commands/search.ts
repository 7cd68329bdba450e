import { HallError } from "../../contract/errors.ts";
import type { RouteQuery } from "../../contract/routes.ts";
import type { SearchHit } from "../../contract/search-routes.ts";
import { type Action, type Context, chosenProject } from "../context.ts";
import { count, localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

type Kind = RouteQuery<"search">["kind"];

export const search: Action<"search"> = async (input, context) => {
  await showHits({ ...input, kind: input.kind as Kind }, context);
  return 0;
};

export const taskSearch: Action<"task search"> = async (input, context) => {
  await showHits({ ...input, kind: "task" }, context);
  return 0;
};

interface SearchInput {
  query: string;
  project?: string | undefined;
  kind?: Kind;
  limit?: number | undefined;
}

async function showHits({ query, project, kind, limit }: SearchInput, context: Context): Promise<void> {
  const { call, output } = context;
  if (query.trim() === "") throw new HallError("usage", "What is to be found?", { hint: "Give some words." });
  const answer = await call("search", { query: { q: query, project: chosenProject(project, context), kind, limit } });
  output.answer(answer, () => {
    const { hits, unread } = answer;
    const shown = hits.length === 0 ? nothing(output.calledAs) : textTable(columns, hits, output);
    return unread === undefined
      ? shown
      : `${shown}\nWhat was said in ${count(unread, "run")} is still being read; search again in a moment.`;
  });
}

function nothing(calledAs: string): string {
  return `Nothing was found. Try fewer or shorter words. '${calledAs} search --help' says what is searched.`;
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

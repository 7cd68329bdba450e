import { HallError } from "../../contract/errors.ts";
import type { SessionEntry } from "../../contract/session.ts";
import type { SessionPage } from "../../contract/talk-routes.ts";
import { type Action, type Context, chosenProject } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { SessionLines } from "../session-lines.ts";
import { localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";
import { commandText } from "./run-follow.ts";

type Archive = SessionPage["archives"][number];

/** Of one thing that was said, without --full. */
const MOST_SHOWN = 2_000;

export const session: Action<"session"> = async ({ project: given, full, file, before, limit }, context) => {
  for (const [option, value] of Object.entries({ "--before": before, "--limit": limit }))
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      throw new HallError("usage", `${option} must be a whole number from 1 on.`);
  const { call, output } = context;
  const project = chosenProject(given, context);
  const query = { file, before, limit };
  const page =
    project === undefined
      ? await call("getMainSession", { query })
      : await call("getProjectSession", { params: { id: project }, query });
  if (output.json) output.answer(page, () => "");
  else output.row(page, () => pageText(page, { project, full: full === true, file }, context));
  return 0;
};

interface Shown {
  project: string | undefined;
  full: boolean;
  file: string | undefined;
}

function pageText(page: SessionPage, { project, full, file }: Shown, context: Context): string {
  const { paint, width, calledAs } = context.output;
  const lines = new SessionLines({ paint, width, calledAs, full, most: full ? undefined : MOST_SHOWN });
  const words = `session${project === undefined ? "" : ` -p ${project}`}`;
  const archive = file === undefined ? "" : ` --file ${oneLine(page.file)}`;
  const earlier = page.nextBefore === undefined ? [] : [`${words}${archive} --before ${page.nextBefore}`];
  const told = page.entries.flatMap((entry) => lines.of(entry as unknown as SessionEntry));
  return [
    ...earlier.map((command) => paint("dim", `Earlier: ${commandText(command, context)}`)),
    ...(page.entries.length === 0 ? [emptyText(project, context)] : [...told, ...lines.rest()]),
    ...archiveLines(page.archives, context, words),
  ].join("\n");
}

function emptyText(project: string | undefined, context: Context): string {
  const command = project === undefined ? "chat" : `project talk ${project}`;
  return `Nothing was said here yet. Say something: ${commandText(`${command} "Hello"`, context)}`;
}

function archiveLines(archives: readonly Archive[], context: Context, words: string): string[] {
  if (archives.length === 0) return [];
  const { output } = context;
  const command = commandText(`${words} --file NAME`, context);
  return ["", output.paint("bold", "Archives"), textTable(columns, archives, output), `Read one: ${command}`];
}

const columns: Column<Archive>[] = [
  { title: "NAME", text: ({ file }) => file },
  { title: "SIZE", text: ({ size }) => `${Math.ceil(size / 1024)} KB`, spare: 2 },
  { title: "UNTIL", text: ({ updatedAt }) => localTime(updatedAt), spare: 1 },
];

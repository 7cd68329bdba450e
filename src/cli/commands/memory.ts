import { HallError } from "../../contract/errors.ts";
import type { MemoryFile } from "../../contract/memory-routes.ts";
import { type Action, type Context, chosenProject } from "../context.ts";
import { fileOrInput } from "../input.ts";
import { manyLines, oneLine } from "../plain-text.ts";
import { localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

interface Whose {
  project?: string | undefined;
  main?: boolean | undefined;
}

/** undefined: the main agent's. */
function projectOf({ project, main }: Whose, context: Context): string | undefined {
  if (main === true && project !== undefined)
    throw new HallError("usage", "Whose memory: the project's or the main agent's?", {
      hint: "Give either -p PROJECT or --main.",
    });
  return main === true ? undefined : chosenProject(project, context);
}

const COLUMNS: Column<MemoryFile>[] = [
  { title: "FILE", text: ({ path }) => path, style: () => "bold" },
  { title: "UPDATED", text: ({ updatedAt }) => localTime(updatedAt), spare: 1 },
  { title: "BYTES", text: ({ size }) => String(size), spare: 2 },
  { title: "SUMMARY", text: ({ summary = "" }) => oneLine(summary), flexible: true },
];

export const memoryList: Action<"memory list"> = async (input, context) => {
  const { call, output } = context;
  const id = projectOf(input, context);
  const answer = id === undefined ? await call("listMainMemory", {}) : await call("listMemory", { params: { id } });
  output.answer(answer, () => {
    if (answer.files.length > 0) return textTable(COLUMNS, answer.files, output);
    const [whose, how] =
      id === undefined ? ["The main agent remembers", ""] : [`The agents of ${id} remember`, ` -p ${id}`];
    return `${whose} nothing yet. Tell them: ${output.calledAs} memory write facts/NAME.md${how} --file FILE`;
  });
  return 0;
};

export const memoryShow: Action<"memory show"> = async (input, context) => {
  const { call, output } = context;
  const id = projectOf(input, context);
  const query = { path: input.path };
  const answer =
    id === undefined ? await call("readMainMemory", { query }) : await call("readMemory", { params: { id }, query });
  const { file } = answer;
  const shown = () =>
    [
      output.paint("dim", `${file.path} · ${localTime(file.updatedAt)} · etag ${file.etag}`),
      manyLines(file.content).trimEnd(),
    ].join("\n");
  output.answer(answer, shown);
  return 0;
};

export const memoryWrite: Action<"memory write"> = async (input, context) => {
  const { call, host, output } = context;
  const id = projectOf(input, context);
  const { path, file: source, ifMatch } = input;
  if (source === undefined)
    throw new HallError("usage", "Where is the text?", { hint: "Name it with --file FILE; - is standard input." });
  const body = { path, content: await fileOrInput(source, host) };
  const answer =
    id === undefined
      ? await call("writeMainMemory", { body, ifMatch })
      : await call("writeMemory", { params: { id }, body, ifMatch });
  const { file } = answer;
  output.answer(
    answer,
    () => `Wrote ${file.path}.${file.summary === undefined ? "" : ` Summary: ${oneLine(file.summary)}`}`,
  );
  return 0;
};

export const memoryRemove: Action<"memory remove"> = async (input, context) => {
  const { call, host, output } = context;
  const id = projectOf(input, context);
  const { path, ifMatch, yes } = input;
  if (yes !== true && host.canAsk && !/^y(es)?$/i.test((await host.ask(`Move ${path} to the trash? [y/N] `)).trim())) {
    output.note("Nothing was changed.");
    return 0;
  }
  const query = { path };
  const answer =
    id === undefined
      ? await call("removeMainMemory", { query, ifMatch })
      : await call("removeMemory", { params: { id }, query, ifMatch });
  output.answer(answer, () => `${oneLine(path)} is in the trash now: ${oneLine(answer.trash)}`);
  return 0;
};

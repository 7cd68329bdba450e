import { z } from "zod";
import { HallError } from "../../../contract/errors.ts";
import type { Files } from "../../../store/files/files.ts";
import type { OpenFile } from "../../../store/files/regular-file.ts";
import { defineTool, schemaOnce, type Tool } from "../../tool.ts";
import { type Now, Pace } from "../pace.ts";
import { showLines } from "./line-range.ts";
import { encodingOf, type Source, sourceOf } from "./text-blocks.ts";
import { attempt, reachExisting } from "./working-files.ts";

const LINES = 2_000;
const MOST_UTF16_BYTES = 16 * 1024 * 1024;

const ReadInput = schemaOnce(() =>
  z.strictObject({
    path: z.string().describe("Relative to the working folder."),
    offset: z.int().min(1).default(1).describe("First line, from 1."),
    limit: z.int().min(1).default(LINES).describe("Number of lines."),
  }),
);

export function readTool(files: Files, now: Now): Tool {
  return defineTool({
    name: "read",
    description:
      "Read a text file. Each line starts with its number and a tab, which are not part of the file. For the rest of a long file, use offset.",
    input: ReadInput(),
    changes: false,
    run: ({ path: given, offset, limit }, use) =>
      attempt(use, async () => {
        // Its folder is opened once for all that is looked at on the way.
        const { path, file } = files.readMany(() => {
          const { path } = reachExisting(files, given, "read");
          return { path, file: files.openContained(path, ".") };
        });
        try {
          const { source, note } = textIn(file, path);
          const output = await showLines(source, { offset, limit }, new Pace(use.signal, now));
          return { output: `${output}${note}` };
        } finally {
          file.close();
        }
      }),
  });
}

function textIn(file: OpenFile, path: string): { source: Source; note: string } {
  const encoding = encodingOf(file);
  if (encoding === "utf-8") return { source: file, note: "" };
  if (encoding === undefined)
    throw new HallError("invalid", `'${path}' is not a text file (${file.size} bytes, with NUL bytes).`);
  if (file.size > MOST_UTF16_BYTES)
    throw new HallError("invalid", `'${path}' is UTF-16 and larger than 16 MiB; only UTF-8 is supported at that size.`);
  const text = new TextDecoder(encoding).decode(file.all());
  return { source: sourceOf(text), note: "\n(the file is UTF-16, which edit refuses; write replaces it with UTF-8)" };
}

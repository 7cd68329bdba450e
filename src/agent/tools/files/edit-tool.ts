import { z } from "zod";
import { HallError } from "../../../contract/errors.ts";
import { fileText } from "../../../contract/words/text.ts";
import type { Files } from "../../../store/files/files.ts";
import type { Stamp } from "../../../store/files/regular-file.ts";
import { decodeText } from "../../../store/markup/frontmatter.ts";
import { defineTool, schemaOnce, type Tool, type ToolOutcome } from "../../tool.ts";
import { lineAt, type Place, placesOf, replaceAt } from "./edit-places.ts";
import { noPlace, severalPlaces } from "./edit-refusal.ts";
import { hiddenRefusal } from "./hidden-text.ts";
import { encodingOf } from "./text-blocks.ts";
import { attempt, reachExisting } from "./working-files.ts";

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_CHARACTERS = 8_000_000;
/** Looking for every place that overlaps another takes their number times this. */
const MOST_OLD_CHARACTERS = 200_000;
const MOST_AMBIGUOUS = 1_000;
const MOST_REPLACED = 100_000;
const MOST_LINES_NAMED = 10;

const EditInput = schemaOnce(() =>
  z.strictObject({
    path: z.string().describe("Relative to the working folder."),
    oldText: z.string().min(1).max(MOST_OLD_CHARACTERS).describe("With enough context to be unique."),
    newText: fileText(MOST_CHARACTERS),
    all: z.boolean().default(false).describe("Replace every occurrence."),
  }),
);

export function editTool(files: Files): Tool {
  return defineTool({
    name: "edit",
    description:
      "Replace text in a file. oldText must match exactly, without line numbers, and only once unless all is true. Keeps line endings.",
    input: EditInput(),
    changes: true,
    run: ({ path: given, oldText, newText, all }, use) =>
      attempt(use, async () => {
        const { path, text, stamp } = textOf(files, given);
        const hidden =
          hiddenRefusal({ standing: text, given: oldText }) ?? hiddenRefusal({ standing: text, given: newText });
        if (hidden !== undefined) return { output: `${path}: ${hidden}`, failed: true };
        const most = all ? MOST_REPLACED : MOST_AMBIGUOUS;
        const places = placesOf(text, oldText, { overlapping: !all, most });
        const refusal = refusalOf({ text, oldText, newText, places, all });
        if (refusal !== undefined) return { output: `${path}: ${refusal}`, failed: true };
        const edited = replaceAt(text, places, newText);
        if (edited === text)
          return { output: `${path}: oldText and newText are the same; nothing was changed.`, failed: true };
        await files.replace(path, edited, { from: { stamp } });
        return told(path, text, places);
      }),
  });
}

function textOf(files: Files, given: string): { path: string; text: string; stamp: Stamp } {
  const { path, standing } = reachExisting(files, given, "write");
  if (standing.size > MOST_BYTES)
    throw new HallError("invalid", `'${path}' has ${standing.size} bytes; the limit for edit is 16 MiB.`);
  const file = files.openContained(path, ".");
  try {
    const encoding = encodingOf(file);
    if (encoding === undefined) throw new HallError("invalid", `'${path}' is not a text file (${file.size} bytes).`);
    const text = encoding === "utf-8" ? decodeText(file.all()) : undefined;
    if (text === undefined)
      throw new HallError("invalid", `'${path}' is not UTF-8; an edit would damage it.`, {
        hint: "To convert it to UTF-8, replace the whole file with write.",
      });
    return { path, text, stamp: file.stamp };
  } finally {
    file.close();
  }
}

interface Attempt {
  text: string;
  oldText: string;
  newText: string;
  places: readonly Place[];
  all: boolean;
}

function refusalOf({ text, oldText, newText, places, all }: Attempt): string | undefined {
  if (places.length === 0) return noPlace(text, oldText);
  if (!all) return places.length === 1 ? undefined : severalPlaces(text, places, MOST_AMBIGUOUS);
  if (places.length >= MOST_REPLACED) return `oldText occurs ${MOST_REPLACED} times or more, too often to replace.`;
  const size = text.length + places.length * (newText.length - oldText.length);
  return size > MOST_BYTES ? `the file would grow to more than 16 MiB (${size} characters).` : undefined;
}

function told(path: string, text: string, places: readonly Place[]): ToolOutcome {
  const lines = [...new Set(places.slice(0, MOST_LINES_NAMED).map(({ at }) => lineAt(text, at)))];
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${places.length > MOST_LINES_NAMED ? " …" : ""}`;
  const output =
    places.length === 1 ? `Edited ${path} (${where}).` : `Replaced ${places.length} occurrences in ${path} (${where}).`;
  return { output, files: [path] };
}

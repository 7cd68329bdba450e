import { dirname } from "node:path/posix";
import { z } from "zod";
import { fileText } from "../../../contract/words/text.ts";
import type { Files } from "../../../store/files/files.ts";
import type { Standing } from "../../../store/files/folder-reader.ts";
import { markIn } from "../../../store/secrets/redaction.ts";
import { defineTool, schemaOnce, type Tool, type ToolOutcome } from "../../tool.ts";
import { hiddenRefusal } from "./hidden-text.ts";
import { attempt, reachFile } from "./working-files.ts";

const MOST_CHARACTERS = 8_000_000;

const WriteInput = schemaOnce(() =>
  z.strictObject({
    path: z.string().describe("Relative to the working folder."),
    content: fileText(MOST_CHARACTERS),
  }),
);

export function writeTool(files: Files): Tool {
  return defineTool({
    name: "write",
    description: "Create a file and its folders, or replace a file. To change part of a file, use edit.",
    input: WriteInput(),
    changes: true,
    run: ({ path: given, content }, use) =>
      attempt(use, async () => {
        const { path, standing } = reachFile(files, given, "write");
        const bytes = Buffer.from(content);
        const before = standing === undefined || markIn(content) === undefined ? "" : String(contentOf(files, path));
        const hidden = hiddenRefusal({ standing: before, given: content });
        if (hidden !== undefined) return { output: `${path}: ${hidden}`, failed: true };
        if (standing?.size === bytes.length && contentOf(files, path).equals(bytes))
          return { output: `${path} already has this content; nothing was changed.` };
        await files.ensureFolder(dirname(path));
        await files.replace(path, bytes, { from: { stamp: standing?.stamp } });
        return told(path, content, standing);
      }),
  });
}

function contentOf(files: Files, path: string): Buffer {
  const file = files.openContained(path, ".");
  try {
    return file.all();
  } finally {
    file.close();
  }
}

function told(path: string, content: string, before: Standing | undefined): ToolOutcome {
  const breaks = content.split("\n").length - 1;
  const lines = content === "" || content.endsWith("\n") ? breaks : breaks + 1;
  const size = `${lines} ${lines === 1 ? "line" : "lines"}, ${Buffer.byteLength(content)} bytes`;
  const output =
    before === undefined ? `Created ${path} (${size}).` : `Replaced ${path} (${size}; before: ${before.size} bytes).`;
  return { output, files: [path] };
}

import { z } from "zod";
import { defineTool, type Tool } from "../../agent/tool.ts";
import type { TreeSource } from "../trees/tree-source.ts";

const MOST_LINES = 500;
const LONGEST_LINE = 500;
const MOST_PATHS = 500;

const Read = z.strictObject({
  path: z.string().max(1_000),
  from: z.int().min(1).default(1).describe("First line."),
});
const List = z.strictObject({ folder: z.string().max(1_000).default("").describe("Empty for the root.") });

/** What a reviewer without a working folder can look at: the files of one tree. */
export function treeTools(trees: Pick<TreeSource, "read" | "paths">, tree: string): Tool[] {
  return [
    defineTool({
      name: "read",
      description: `Read up to ${MOST_LINES} lines of a file, numbered.`,
      input: Read,
      changes: false,
      run: async ({ path, from }) => {
        const content = await trees.read(tree, path);
        if (content === undefined) return { output: `There is no file '${path}'.`, failed: true };
        if (content.includes(0)) return { output: "It is a binary file.", failed: true };
        return { output: numbered(content.toString("utf8").split("\n"), from, MOST_LINES) };
      },
    }),
    defineTool({
      name: "list",
      description: "List the files in a folder and in those below it.",
      input: List,
      changes: false,
      run: async ({ folder }) => {
        const within = folder.replace(/^\.?\/*/, "").replace(/\/*$/, "");
        const paths = (await trees.paths(tree)).filter((path) => within === "" || path.startsWith(`${within}/`));
        const rest = paths.length - MOST_PATHS;
        return { output: [...paths.slice(0, MOST_PATHS), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n") };
      },
    }),
  ];
}

/** Lines with their numbers, from one on. */
export function numbered(lines: readonly string[], from: number, most: number): string {
  return lines
    .slice(from - 1, from - 1 + most)
    .map((text, at) => `${from + at}: ${text.slice(0, LONGEST_LINE)}`)
    .join("\n");
}

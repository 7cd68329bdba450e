import type { Tool } from "../agent/tool.ts";
import { lookingTools } from "../agent/tools/file-tools.ts";
import { HallError } from "../contract/errors.ts";
import { Slug } from "../contract/text.ts";
import { Files } from "../store/files.ts";
import { projectRoot } from "../workspace/layout.ts";
import type { Caller } from "../workspace/rights.ts";
import { readableBy } from "../workspace/rights.ts";
import { folderOf } from "./main-rights.ts";

/**
 * The tools of the main agent that look at files. Where a turn may read some projects only, each path is opened in the
 * folder of its project, so that no link and no detour leads from one project to another.
 */
export function mainFileTools(files: Files, caller: () => Caller): Tool[] {
  return lookingTools(files).map((tool) => ({
    ...tool,
    run: (text, use) => {
      const of = readableBy(caller());
      if (of === undefined) return tool.run(text, use);
      const input = JSON.parse(text === "" ? "{}" : text) as { path?: unknown };
      const at = typeof input.path === "string" ? folderOf(input.path) : undefined;
      if (at === undefined || !of.has(at.project) || !Slug.safeParse(at.project).success)
        throw new HallError("forbidden", "In this turn you can read only folders of the projects it is about.");
      const own = new Files(`${files.root}/${projectRoot(at.project)}`, "private", "refused");
      const within = lookingTools(own).find(({ spec }) => spec.name === tool.spec.name);
      if (within === undefined) throw new Error(`There is no tool ${tool.spec.name}.`);
      return within.run(JSON.stringify({ ...input, path: at.rest }), use);
    },
  }));
}

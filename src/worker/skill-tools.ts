import { basename, dirname, join, relative } from "node:path";
import { SkillShelf } from "../agent/skills/skill-shelf.ts";
import { useSkillTool } from "../agent/skills/use-skill-tool.ts";
import type { Tool } from "../agent/tool.ts";
import type { RunSandbox } from "../contract/documents/sandbox.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import { PROGRAM_FOLDER } from "../program.ts";
import { isFolder, isWithin } from "../store/files/folders.ts";

interface SkillBench {
  plan: RunPlan;
  /** The project's own folder; absolute. */
  projectPath: string;
  /** The project's working folder, and the one that this run works in. */
  checkout: string;
  workdir: string;
  nextMark: () => string;
}

/** None for a run without packs. Packs are read where the person accepted them, not in the worktree of the run. */
export function skillTools({ plan, projectPath, checkout, workdir, nextMark }: SkillBench): Tool[] {
  const { skills: allowed = [], sandbox } = plan;
  if (allowed.length === 0) return [];
  const shelf = new SkillShelf({
    workspace: dirname(dirname(projectPath)),
    projectId: basename(projectPath),
    workdir: checkout,
    program: plan.team === undefined ? undefined : PROGRAM_FOLDER,
  });
  const scriptsIn = (folder: string) => scriptsText(folder, { sandbox, checkout, workdir });
  return [useSkillTool({ shelf, allowed, nextMark, scriptsIn })];
}

interface ScriptPlaces {
  sandbox: RunSandbox | undefined;
  checkout: string;
  workdir: string;
}

function scriptsText(folder: string, { sandbox, checkout, workdir }: ScriptPlaces): string {
  if (sandbox === undefined) return "You can't run its scripts: you have no exec tool.";
  if (isWithin(folder, checkout)) {
    const path = relative(checkout, folder);
    return isFolder(join(workdir, path))
      ? `Run its scripts with exec; from the working folder, the pack is '${path}'.`
      : "You can't run its scripts: the pack is not in the commit your working folder is based on.";
  }
  return sandbox.name === "none" || sandbox.readable.includes(folder)
    ? `Run its scripts with exec; the pack is '${folder}', read-only.`
    : "You can't run its scripts: commands can't access the pack.";
}

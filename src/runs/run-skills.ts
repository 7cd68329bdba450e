import { basename, dirname, join, relative } from "node:path";
import { availableSkills, SkillShelf, type SkillsWhere } from "../agent/skills/skill-shelf.ts";
import { skillsBudget, skillsText } from "../agent/skills/skills-text.ts";
import { useSkillTool } from "../agent/skills/use-skill-tool.ts";
import type { Tool } from "../agent/tool.ts";
import type { RunPlan } from "../contract/run.ts";
import type { RunSandbox } from "../contract/sandbox.ts";
import type { SkillSummary } from "../contract/skill.ts";
import { isFolder, isWithin } from "../store/folders.ts";

/** The packs that a run of a project may use. `listed`: the names its role, assignment or request lists, without tools. */
export function runSkills(where: SkillsWhere, listed: readonly string[]): SkillSummary[] {
  const all = availableSkills(where);
  return listed.length === 0
    ? all.filter(({ onlyNamed }) => !onlyNamed)
    : all.filter(({ slug }) => listed.includes(slug));
}

/** What the prompt says of them. */
export function skillsPart(skills: readonly SkillSummary[], contextWindow: number) {
  return skillsText(skills, skillsBudget(contextWindow));
}

/** The sandbox with the packs in it that lie in the workspace, of which commands see nothing else. They can only be read. */
export function withPacks(sandbox: RunSandbox, skills: readonly SkillSummary[], root: string): RunSandbox {
  // A folder shown around the workspace has the workspace taken out of it again, and the packs with it.
  if ([...sandbox.readable, ...sandbox.writable].some((path) => isWithin(root, path))) return sandbox;
  const folders = skills.filter(({ origin }) => origin !== "workdir").map(({ path }) => join(root, path));
  return { ...sandbox, readable: [...sandbox.readable, ...folders] };
}

export interface SkillBench {
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
  if (sandbox === undefined) return "Scripts among them cannot be run: you run no commands.";
  if (isWithin(folder, checkout)) {
    const path = relative(checkout, folder);
    return isFolder(join(workdir, path))
      ? `Scripts among them are run with exec; from the working folder the pack is '${path}'.`
      : "Scripts among them cannot be run: the pack is not in the commit that your working folder was made from.";
  }
  return sandbox.name === "none" || sandbox.readable.includes(folder)
    ? `Scripts among them are run with exec; the pack is '${folder}', and cannot be written.`
    : "Scripts among them cannot be run: commands do not see the pack.";
}

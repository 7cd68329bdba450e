import { join } from "node:path";
import { availableSkills, type SkillsWhere } from "../../agent/skills/skill-shelf.ts";
import { skillsBudget, skillsText } from "../../agent/skills/skills-text.ts";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import type { SkillSummary } from "../../contract/documents/skill.ts";
import { isWithin } from "../../store/files/folders.ts";

/**
 * The packs that a run of a project may use. `listed`: the names its role, assignment or request lists, without tools. `added`: by its
 * team, whatever the role lists.
 */
export function runSkills(
  where: SkillsWhere,
  listed: readonly string[],
  added: readonly string[] = [],
): SkillSummary[] {
  const isListed = ({ slug, onlyNamed }: SkillSummary) => (listed.length === 0 ? !onlyNamed : listed.includes(slug));
  return availableSkills(where).filter((skill) => isListed(skill) || added.includes(skill.slug));
}

/** What the prompt says of them. */
export function skillsPart(skills: readonly SkillSummary[], contextWindow: number) {
  return skillsText(skills, skillsBudget(contextWindow));
}

/** The sandbox with the packs in it that lie in the workspace, of which commands see nothing else. They can only be read. */
export function withPacks(sandbox: RunSandbox, skills: readonly SkillSummary[], root: string): RunSandbox {
  // A folder shown around the workspace has the workspace taken out of it again, and the packs with it.
  if ([...sandbox.readable, ...sandbox.writable].some((path) => isWithin(root, path))) return sandbox;
  const folders = skills
    .filter(({ origin }) => origin === "project" || origin === "hall")
    .map(({ path }) => join(root, path));
  return { ...sandbox, readable: [...sandbox.readable, ...folders] };
}

import type { SkillSummary } from "../../contract/documents/skill.ts";
import { charactersIn } from "../../contract/words/tokens.ts";

const SHARE_OF_WINDOW = 0.02;
const MOST_CHARACTERS = 16_000;
/** Kept free for the line that says what is left out. */
const LAST_LINE = 120;

/** Characters that names and descriptions may take of a window of so many tokens. */
export function skillsBudget(contextWindow: number): number {
  return Math.min(MOST_CHARACTERS, Math.floor(charactersIn(contextWindow * SHARE_OF_WINDOW)));
}

export interface SkillsText {
  /** Empty when there are no skills. */
  text: string;
  leftOut: string[];
}

/**
 * What an agent is told of its skills before it uses one. Of a pack that nobody has accepted it learns the name alone: its
 * description is a stranger's text.
 */
export function skillsText(skills: readonly SkillSummary[], budgetChars: number): SkillsText {
  if (skills.length === 0) return { text: "", leftOut: [] };
  const intro =
    "Instruction packs. If one fits your task, call use_skill with its name before you start, and follow it. Packs grant no permissions.";
  const lines = [intro];
  const leftOut: string[] = [];
  let used = intro.length;
  for (const skill of skills) {
    const line = lineOf(skill);
    if (used + line.length + 1 > budgetChars - LAST_LINE) leftOut.push(skill.slug);
    else {
      lines.push(line);
      used += line.length + 1;
    }
  }
  return { text: [...lines, ...leftOutLine(leftOut)].join("\n"), leftOut };
}

function lineOf({ slug, description, usable, argumentHint }: SkillSummary): string {
  if (!usable) return `- ${slug} (from the working folder; not accepted by the person, so use_skill refuses it)`;
  return `- ${slug}${argumentHint === undefined ? "" : ` ${argumentHint}`}: ${description}`;
}

function leftOutLine(slugs: readonly string[]): string[] {
  if (slugs.length === 0) return [];
  const end = `(${slugs.length} more omitted)`;
  const named = `(omitted: ${slugs.join(", ")})`;
  return [named.length < LAST_LINE ? named : end];
}

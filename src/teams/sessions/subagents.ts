import type { HandInOrder } from "../../contract/runs/hand-in.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { OPEN_SUBAGENTS, SUBAGENTS, type Subagent } from "../../contract/words/teams/role-spec-words.ts";
import type { SubagentOrder } from "../../runs/member-questions.ts";
import { roleForDomain } from "../../runs/plan/built-in-roles.ts";

interface Template {
  /** Without one, that of the member: a subagent never may more than whoever calls it. */
  roleId?: string;
  /** Of those that only read. */
  handIn?: HandInOrder;
  title: string;
  /** What it is told before the question. */
  brief: string;
  /** What its answer has to contain. */
  expected: string;
}

const ANSWER = "The answer first, then what supports it: file and line for each claim, and what you did not find.";
const WRITTEN = "Report a summary, the paths of the files you changed, your decisions, and warnings.";

/** How each subagent is called. Role-specs only name them. */
const TEMPLATES: Record<Subagent, Template> = {
  explore: {
    ...{ roleId: roleForDomain("search"), handIn: { kind: "explore" }, title: "Explore" },
    brief: "Find out about the code, and change nothing.",
    expected: ANSWER,
  },
  discuss: {
    ...{ roleId: roleForDomain("review"), handIn: { kind: "discuss" }, title: "Discuss" },
    brief: "Judge this proposal of a team member.",
    expected: "A rating for each perspective, with its worst objection and how severe that is.",
  },
  "general-purpose": {
    ...{ roleId: roleForDomain("search"), handIn: { kind: "explore" }, title: "Investigate" },
    brief: "Investigate, and change nothing.",
    expected: ANSWER,
  },
  "universal-executor": {
    title: "Write",
    brief: "Write the document that is asked for, in the worktree you share.",
    expected: `The document, with headings and without placeholders. ${WRITTEN}`,
  },
  "code-developer": {
    title: "Implement",
    brief: "Implement what is asked for, in the worktree you share.",
    expected: `Code that compiles, with its tests. ${WRITTEN}`,
  },
  "test-fix-agent": {
    title: "Fix tests",
    brief: "Run the tests, fix what fails, and run them again, at most five times. Never skip or weaken a test.",
    expected: "Report how many tests pass and fail, the coverage if it is measured, and each failure that is left.",
  },
};

const LONGEST_TITLE = 120;

/** Why a member can't call a subagent of that name; undefined where it can. */
export function whyNoSubagent(name: string, listed: readonly string[]): string | undefined {
  if (!isKnown(name)) return `There is no subagent '${name}'. Known: ${SUBAGENTS.join(", ")}.`;
  const isOpen = (OPEN_SUBAGENTS as readonly string[]).includes(name);
  if (isOpen || listed.includes(name)) return undefined;
  return `Your role-spec does not list the subagent '${name}'. You may call ${[...new Set([...OPEN_SUBAGENTS, ...listed.filter(isKnown)])].join(", ")}.`;
}

/** `context`: what the member works on. */
export function subagentOrder(
  name: Subagent,
  { question, context, roleId }: { question: string; context: string; roleId: string },
): SubagentOrder {
  const { title, brief, expected, handIn, roleId: own = roleId } = TEMPLATES[name];
  const [first = ""] = question.trim().split("\n", 1);
  return {
    roleId: own,
    title: `${title}: ${cutText(first, LONGEST_TITLE)}`,
    description: `${brief}\n\n## Task\n\n${question.trim()}\n\n## Context\n\n${context}\n\n## Expected Output\n\n${expected}`,
    handIn,
  };
}

export function isKnown(name: string): name is Subagent {
  return (SUBAGENTS as readonly string[]).includes(name);
}

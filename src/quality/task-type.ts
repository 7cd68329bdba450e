import type { Task } from "../contract/documents/task.ts";
import type { TaskType } from "../contract/documents/task-status.ts";
import { isCodeFile } from "./proof/languages.ts";

const NON_CODE: ReadonlySet<TaskType> = new Set(["research", "planning", "search", "explore", "docs"]);

/** Whether tasks of a type change code, and so are judged by the gates. */
export function isCode(type: TaskType): boolean {
  return !NON_CODE.has(type);
}

/** The prefixes of conventional commits. */
const PREFIXES = new Map<string, TaskType>(
  Object.entries({
    feat: "feature",
    feature: "feature",
    fix: "bug",
    bugfix: "bug",
    hotfix: "bug",
    refactor: "refactor",
    test: "test",
    tests: "test",
    doc: "docs",
    docs: "docs",
    chore: "other",
    build: "other",
    ci: "other",
    style: "other",
  } as const),
);

const DOCUMENT = "(?:docs?|documentation|readme|changelog|tutorial|user guide|docstrings?|code comments)";

/** The first that matches decides. Types that skip the gates are named by what the title begins with. */
const TITLES: readonly (readonly [TaskType, RegExp])[] = [
  [
    "docs",
    new RegExp(
      `^(?:document\\b|(?:add|write|update|improve|extend|fix|correct|revise|translate)\\b[^.]{0,80}\\b${DOCUMENT}(?=$|[.,:;)]|\\s(?:for|of|on|about|in|to|and)\\b))`,
    ),
  ],
  [
    "bug",
    /\b(?:fix(?:es|ed|ing)?|bugs?|bugfix|hotfix|regressions?|crash(?:es|ed|ing)?|broken|defects?|typos?)\b|\b(?:doesn't|does not|not) work/,
  ],
  ["research", /^(?:research|investigate|evaluate|compare|analy[sz]e|assess|study)\b/],
  [
    "planning",
    /^(?:plan|draft a plan|outline|estimate|break down|decompose|prioriti[sz]e|define the roadmap)\b|\broadmap\b/,
  ],
  ["search", /^(?:search|find|locate|look up|look for|list (?:all|every))\b/],
  ["explore", /^(?:explore|survey|understand|map out|walk through|get familiar)\b/],
  [
    "test",
    /\b(?:add|write|extend|improve|increase|cover)\b[^.]{0,80}\b(?:tests?|test coverage|specs)\b|^cover\b|^test\b/,
  ],
  ["review", /^(?:review|audit)\b/],
  [
    "refactor",
    /\b(?:refactor\w*|clean ?up|restructure|simplify|rename|extract|deduplicate|reorgani[sz]e|modulari[sz]e)\b/,
  ],
  [
    "feature",
    /\b(?:implement|add|build|create|introduce|support|enable|develop|integrate|feature|allow|let|show|provide)\b/,
  ],
];

/** What a description asks for beside: with any of these a task changes code. */
const CODE_WORDS =
  /\b(?:implement|refactor|fix(?:es)? the|add (?:a|an|the) (?:function|class|method|endpoint|module|test))\b/;
const DESCRIPTIONS: readonly (readonly [TaskType, RegExp])[] = [
  ["bug", /\b(?:steps to reproduce|stack trace|expected behaviou?r|regression|crash(?:es)?|bug)\b/],
  ["refactor", /\brefactor/],
  ["feature", /\b(?:implement|as a user|feature|acceptance criteria)\b/],
];

/** What kind of task a text describes; `other` where nothing tells. */
export function inferTaskType(title: string, description = ""): TaskType {
  const [name, text] = [title.trim().toLowerCase(), description.toLowerCase()];
  const prefix = PREFIXES.get(/^(\w+)(?:\([^)]*\))?!?:\s/.exec(name)?.[1] ?? "");
  if (prefix !== undefined) return prefix;
  const [type] = TITLES.find(([, pattern]) => pattern.test(name)) ?? [];
  if (type !== undefined && (isCode(type) || !CODE_WORDS.test(`${name}\n${text}`))) return type;
  const [described] = DESCRIPTIONS.find(([, pattern]) => pattern.test(text)) ?? [];
  return described ?? (type === undefined ? "other" : "feature");
}

/**
 * The type that a task is judged by: what was set counts; `other` is what a task has that nobody gave one. Neither keeps changed
 * code from being judged: agents set types too.
 */
export function judgedType(
  task: Pick<Task, "type" | "title" | "description"> | undefined,
  changed: readonly string[],
): TaskType {
  if (task === undefined) return "other";
  const type = task.type === "other" ? inferTaskType(task.title, task.description) : task.type;
  return isCode(type) || !changed.some(isCodeFile) ? type : "other";
}

import type { ResponsibilityType, Subagent } from "../../contract/words/teams/role-spec-words.ts";

/** A phase as it is written into role-specs. */
export interface PhaseText {
  name: string;
  /** Input, source, whether it is required. */
  inputs?: readonly (readonly [string, string, "Yes" | "No" | "If present"])[];
  text: string;
}

interface TypeText {
  phases: readonly [PhaseText, PhaseText, PhaseText];
  /** Whom phase 3 may be handed to. */
  subagent: Subagent;
  /** Scenario and resolution. */
  errors: readonly (readonly [string, string])[];
}

const TASK = ["Task description", "the task and its requirements, above", "Yes"] as const;
const COMMON_ERRORS = [
  ["A required input is missing", "Stop and report which one, and where you looked"],
  ["An optional input is missing", "Continue without it and say so in the report"],
  ["The task contradicts the code", "Report the contradiction with file and line; don't guess"],
] as const;

/** Small parts cost less where they are. */
function delegating(subagent: Subagent, part: string): string {
  return `| Part | Who does it |
|------|-------------|
| ${part} | The ${subagent} subagent: give it the task, its context and the output you expect, and wait for the answer |
| Any other | You |

Read what a subagent did before you use it: you answer for the result.`;
}

/** What members of each responsibility type do between discovery and report. */
export const PHASE_TEXTS: Readonly<Record<ResponsibilityType, TypeText>> = {
  orchestration: {
    subagent: "general-purpose",
    phases: [
      {
        name: "Context Assessment",
        inputs: [
          TASK,
          ["Results of earlier tasks", "the team's branch, in your worktree", "No"],
          ["Project knowledge", "memory and knowledge tools", "No"],
        ],
        text: `1. Read the task and list the questions it has to answer.
2. Read what earlier tasks left in the branch, where the task depends on them.
3. Look up what is already known before you search the code again.`,
      },
      {
        name: "Investigation",
        text: `Split the task into parts that can be answered on their own.

| Question | Where to look first |
|----------|---------------------|
| How does it work today? | The code, its callers and its tests |
| Why is it like that? | Documents, decisions and the history of the files |
| What would a change break? | Tests, and everything that calls the code |

Answer one part after the other. Note file and line for each answer before you continue.

${delegating("general-purpose", "A part that takes an area of the code, not a few files")}`,
      },
      {
        name: "Result Aggregation",
        text: `1. Check that every file and line you noted exists.
2. Compare the answers; resolve contradictions by reading the code.
3. Write the result where the task says, with file and line for every claim.
4. List decisions and open questions at the end.`,
      },
    ],
    errors: [
      ...COMMON_ERRORS,
      ["A question can't be answered from the code", "Name it as open; don't fill the gap with a guess"],
    ],
  },
  "code-gen-docs": {
    subagent: "universal-executor",
    phases: [
      {
        name: "Load Prior Context",
        inputs: [
          TASK,
          ["Results of earlier tasks", "the team's branch, in your worktree", "If present"],
          ["Project knowledge", "memory and knowledge tools", "No"],
        ],
        text: `1. Read the task; note the document to write, its readers and its sections.
2. Read the code and the results that the document describes.
3. Read neighboring documents for tone, form and terms.`,
      },
      {
        name: "Document Generation",
        text: `Write the document at the path that the task names.

- Say only what the code or an earlier result shows.
- Examples are commands or code that you ran.
- Update links and tables of contents that mention the document.

${delegating("universal-executor", "A document whose chapters can be written on their own")}`,
      },
      {
        name: "Structure Validation",
        text: `1. The document exists and has every section that the task asks for.
2. No placeholder text is left in it.
3. Links and file names in it exist.
4. The project's checks of documents pass, if there are any.`,
      },
    ],
    errors: [...COMMON_ERRORS, ["A section has no source", "Leave the section out and name it in the report"]],
  },
  "code-gen-code": {
    subagent: "code-developer",
    phases: [
      {
        name: "Load Plan and Specs",
        inputs: [
          TASK,
          ["Plan and design of earlier tasks", "the team's branch, in your worktree", "If present"],
          ["Project knowledge", "memory and knowledge tools", "No"],
        ],
        text: `1. Read the task, its requirements and its acceptance criteria.
2. Read the files it names, their callers and their tests.
3. Read what earlier tasks changed, where the task depends on them.`,
      },
      {
        name: "Code Implementation",
        text: `Implement the task with the smallest change that does it.

| Situation | Action |
|-----------|--------|
| New behavior | Failing test first, then the smallest change that passes it |
| Bug | A test that reproduces it, then the fix at its cause |
| Refactoring | Tests green before and after, no change of behavior |

Keep to the style of the files around your change.

${delegating("code-developer", "A large part that can be built and tested separately")}`,
      },
      {
        name: "Syntax Validation",
        text: `1. Run the compiler or syntax check of the project.
2. Check that every planned file exists.
3. If a check fails, fix the cause and run it again, at most 2 times.
4. Summarize the changed files and how each requirement is proven.`,
      },
    ],
    errors: [
      ...COMMON_ERRORS,
      ["A check still fails after 2 fixes", "Report the command, its output and what you tried"],
    ],
  },
  "read-only": {
    subagent: "general-purpose",
    phases: [
      {
        name: "Target Loading",
        inputs: [
          TASK,
          ["Target files or changes", "named by the task, or the results of earlier tasks", "Yes"],
          ["Project knowledge", "memory and knowledge tools", "No"],
        ],
        text: `1. Determine exactly what is analyzed: files, changes or documents.
2. Read everything before you judge any part.
3. Read the requirements that it has to meet.`,
      },
      {
        name: "Multi-Dimension Analysis",
        text: `Change nothing. Analyze the target in each dimension that the task names; without any, use these.

| Dimension | Question |
|-----------|----------|
| Correctness | Which input gives a wrong result? |
| Security | What can an attacker reach or change? |
| Simplicity | What can be left out? |
| Tests | Which behavior has no test that would fail? |

Your document has a heading for each dimension.

${delegating("general-purpose", "A dimension that takes more than the target itself")}`,
      },
      {
        name: "Severity Classification",
        text: `1. Each finding has file, line, what happens and how to fix it.
2. Classify each: Critical, High, Medium or Low.
3. Drop findings that you could not confirm in the code.
4. Count the findings by severity.`,
      },
    ],
    errors: [...COMMON_ERRORS, ["The target does not exist", "Stop and report the names you looked for"]],
  },
  validation: {
    subagent: "test-fix-agent",
    phases: [
      {
        name: "Environment Detection",
        inputs: [TASK, ["Changes to validate", "the team's branch, in your worktree", "Yes"]],
        text: `1. Find the test framework, the test command and the coverage tool in the project's files.
2. List the changed files with git.
3. Match changed files to their tests.`,
      },
      {
        name: "Test-Fix Cycle",
        text: `Run the tests and fix what fails, for at most 5 rounds.

| Failure | Action |
|---------|--------|
| The code is wrong | Fix the code |
| The test contradicts a requirement | Fix the test and say why |
| The failure existed before the change | Report it; don't fix it here |

Never skip, delete or weaken a test.

${delegating("test-fix-agent", "A long list of failures with one cause each")}`,
      },
      {
        name: "Result Analysis",
        text: `1. At least 95 % of the tests pass.
2. Coverage reaches the project's threshold, if it has one.
3. Report how many tests passed and failed, the coverage, and each failure that is left.`,
      },
    ],
    errors: [...COMMON_ERRORS, ["No test framework is found", "Report the files you looked at; don't add one"]],
  },
};

import { z } from "zod";
import { TASK_PRIORITIES, TASK_TYPES } from "../../contract/documents/task-status.ts";
import type { HandInOrder } from "../../contract/runs/hand-in.ts";
import { CONSENSUS_SEVERITIES } from "../../contract/words/teams/role-spec-words.ts";
import { CHECK_KINDS, DOMAINS, type HandIn } from "../../contract/words/teams/team-words.ts";
import { SUBMIT_TOOLS } from "../../contract/words/tool-names.ts";
import { readHandIn } from "../hand-ins/hand-in.ts";
import { jsonSchemaOf, schemaOnce, type Tool } from "../tool.ts";
import { jsonIn } from "./review-tool.ts";

const texts = (about: string) => z.array(z.string()).optional().describe(about);

const Criterion = z.strictObject({
  text: z.string().describe("What holds when it is met, in one sentence."),
  check: z
    .enum(CHECK_KINDS)
    .describe(
      "test: a test that names the requirement's id passes; command: a command exits with 0; look: a checker looks.",
    ),
  command: z.array(z.string()).optional().describe("For the check 'command': program and arguments. No shell."),
});

const Spec = () =>
  z.strictObject({
    title: z.string(),
    goals: texts("What should be true afterwards."),
    nonGoals: texts("What is out of scope."),
    requirements: z.array(
      z.strictObject({
        id: z.string().describe("REQ-001, REQ-002, …"),
        text: z.string().describe("One sentence with 'must'."),
        priority: z.enum(TASK_PRIORITIES).optional(),
        acceptance: z.array(Criterion).min(1),
      }),
    ),
    risks: texts("What could go wrong."),
    definitionOfDone: texts("What has to hold for the whole."),
    current: z.string().optional().describe("Of a bug fix: what happens now, with the steps to reproduce it."),
    expected: z.string().optional().describe("Of a bug fix: what should happen instead."),
    unchanged: z.string().optional().describe("Of a bug fix: behavior that must stay as it is."),
  });

/** What models are shown; the readers in hand-ins/ take what they send. */
const SHOWN = {
  spec: schemaOnce(() => Spec()),
  plan: schemaOnce(() =>
    z.strictObject({
      phases: z
        .array(z.strictObject({ id: z.string(), name: z.string() }))
        .optional()
        .describe("In order; a phase starts when the one before is done. One phase if left out."),
      tasks: z.array(
        z.strictObject({
          key: z.string().describe("A short name, such as login-form."),
          title: z.string(),
          description: z.string().describe("Everything its agent needs: it does not see this conversation."),
          type: z.enum(TASK_TYPES).optional(),
          domain: z.enum(DOMAINS).optional(),
          requirements: z.array(z.string()).describe("Ids of the requirements it works on."),
          criteria: z.array(z.string()).optional().describe("Ids of the criteria it has to meet; each in one task."),
          phase: z.string().optional(),
          dependsOn: z.array(z.string()).optional().describe("Keys of tasks that must be merged first."),
          role: z.string().optional(),
          files: z
            .array(z.string())
            .describe(
              "Files it will change, as globs relative to the repository. Tasks that share files can't run at once.",
            ),
          sections: texts("Of a task that writes a document: headings it must have."),
          dimensions: texts(
            "Of a review or analysis: what to judge the target by, such as security. Its report has a heading for each.",
          ),
        }),
      ),
    }),
  ),
  report: schemaOnce(() =>
    z.strictObject({
      summary: z.string().describe("What changed and why, for the person who approves it."),
      highlights: texts("What to look at first."),
      risks: texts("What may break, or could not be verified."),
      followUps: texts("What is left to do."),
    }),
  ),
  check: schemaOnce(() =>
    z.strictObject({
      results: z.array(
        z.strictObject({
          id: z.string().describe("Of the criterion, such as REQ-001.2."),
          met: z.boolean(),
          evidence: z.string().describe("What you saw, and where: file and line, or command and output."),
        }),
      ),
    }),
  ),
  explore: schemaOnce(() =>
    z.strictObject({
      summary: z.string().describe("The answer, for an engineer who will act on it."),
      findings: z
        .array(
          z.strictObject({
            file: z.string(),
            line: z.number().int().optional(),
            note: z.string().describe("What the code does there, in one sentence."),
          }),
        )
        .optional(),
    }),
  ),
  discuss: schemaOnce(() =>
    z.strictObject({
      perspectives: z.array(
        z.strictObject({
          name: z.string().describe("Such as product, security, maintenance, testing."),
          rating: z.number().int().describe("1 (reject) to 5 (agree)."),
          severity: z.enum(CONSENSUS_SEVERITIES).describe("Of the worst objection. high: must not continue like this."),
          note: z.string().describe("Why, in one or two sentences."),
        }),
      ),
    }),
  ),
  "spec-change": schemaOnce(() =>
    z.strictObject({
      reason: z.string().describe("Why the spec has to change, or why it stays as it is."),
      spec: Spec().optional().describe("The whole new spec. Leave it out if the spec stays."),
    }),
  ),
} satisfies Record<HandIn, unknown>;

const ABOUT: Record<HandIn, string> = {
  spec: "Submit the spec. The call ends your run.",
  plan: "Submit the plan. The call ends your run.",
  report: "Submit your report. The call ends your run.",
  check: "Submit one result for each criterion. The call ends your run.",
  explore: "Submit what you found. The call ends your run.",
  discuss: "Submit a rating for each perspective. The call ends your run.",
  "spec-change": "Submit the changed spec, or say that it stays. The call ends your run.",
};

/** Hands in what a team needs next. A call with faults names all of them, and may be repeated. */
export function handInTool(order: HandInOrder): Tool {
  const { kind } = order;
  return {
    spec: { name: SUBMIT_TOOLS[kind], description: ABOUT[kind], inputSchema: jsonSchemaOf(SHOWN[kind]()) },
    changes: true,
    repeatable: true,
    // The journal has the call; whoever reads it has the value.
    run: async (text) => {
      const read = readHandIn(jsonIn(text), order);
      if (read.ok) return { output: "Saved." };
      return {
        output: `Not saved. Fix all of these, then call it again:\n- ${read.faults.join("\n- ")}`,
        failed: true,
      };
    },
  };
}

import { z } from "zod";
import type { ChildAnswer } from "../../contract/runs/hall-questions.ts";
import { SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";
import { defineTool, type Tool } from "../tool.ts";

export const TaskOfTeam = z.strictObject({
  task: z.string().max(200).optional().describe("Key or TASK id; your own task if left out."),
});

export const Delegated = z.strictObject({
  to: z
    .string()
    .max(64)
    .describe(`Name of the subagent: ${SUBAGENTS.join(", ")}.`),
  question: z.string().trim().min(1).max(20_000).describe("Everything it needs: it does not see this conversation."),
});
export type Delegated = z.infer<typeof Delegated>;

/** What a member of a team can ask of the hall. */
export interface MemberPort {
  task(asked: z.infer<typeof TaskOfTeam>, signal: AbortSignal): Promise<{ output: string; failed?: boolean }>;
  /** Resolves with the subagent's answer. Asking twice with one call id starts one. */
  delegate(asked: { callId: string; delegated: Delegated }, signal: AbortSignal): Promise<ChildAnswer>;
}

export function memberTools(port: MemberPort): Tool[] {
  return [
    defineTool({
      name: "task_get",
      description:
        "Read a task of your team: description, criteria, files, state, and the reports of what it depends on.",
      input: TaskOfTeam,
      changes: false,
      repeatable: true,
      run: (asked, { signal }) => port.task(asked, signal),
    }),
    defineTool({
      name: "delegate",
      description:
        "Ask a subagent by name, and wait for its answer. explore: a question about the code. discuss: have a proposal rated.",
      input: Delegated,
      changes: false,
      repeatable: true,
      run: (delegated, { callId, signal }) => port.delegate({ callId, delegated }, signal),
    }),
  ];
}

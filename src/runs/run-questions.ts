import { z } from "zod";
import type { SandboxProbe } from "../agent/sandbox/probe.ts";
import { Helper } from "../agent/tools/hall-tools.ts";
import { Delegated, TaskOfTeam } from "../agent/tools/member-tools.ts";
import { Question } from "../contract/documents/escalation.ts";
import { HallError } from "../contract/errors.ts";
import { RUN_QUESTIONS } from "../contract/runs/hall-questions.ts";
import { rankFrom } from "../contract/words/rank-names.ts";
import { type Asking, checkedInput, type HallAnswer, type HallQuestions } from "../processes/hall-questions.ts";
import type { Attachment } from "../workspace/attachments.ts";
import type { GuardedCall, Guarding } from "./guarding.ts";
import type { MemberAnswers } from "./member-questions.ts";
import type { ChildRuns } from "./plan/child-runs.ts";
import type { AskedOrigin, AskedOutcome } from "./questions.ts";
import type { Note } from "./record/run-events.ts";
import type { Scheduler } from "./schedule/scheduler.ts";
import type { Waits } from "./schedule/waits.ts";
import type { SearchWeb } from "./web-search.ts";

const Told = z.object({ text: z.string() });
const Call = z.object({ tool: z.string(), input: z.string() });
const Called = Call.extend({ output: z.string(), failed: z.boolean() });
const Ending = z.object({ output: z.string(), report: z.unknown(), round: z.int().min(1) });
/** An answer may come before the run is parked: then it is asked about again at once. */
const MOST_ROUNDS = 3;
const Search = z.object({ query: z.string(), count: z.int().min(1) });

interface Parts {
  children: Pick<ChildRuns, "start">;
  sandbox: Pick<SandboxProbe, "settle">;
  scheduler: Pick<Scheduler, "whileWaiting">;
  /** Durable when it resolves. */
  notify: (runId: string, note: Note) => Promise<void>;
  /** Durable when it resolves. */
  ask: (
    runId: string,
    asked: { callId: string; question: Question; origin?: AskedOrigin | undefined },
  ) => Promise<AskedOutcome>;
  members: Pick<Attachment<MemberAnswers>, "part">;
  /** What the folder of a run holds now; undefined where that is not known. */
  treeOf: (runId: string) => Promise<string | undefined>;
  waits: Pick<Waits, "park" | "answerTo">;
  search: SearchWeb;
  /** A member's word to its team. Durable when it resolves. */
  teamMsg: (runId: string, call: { callId: string; input: unknown }) => Promise<string>;
  guarding: Guarding;
  /** The run, and the tools of its plan that need consent. */
  guardedRun: (runId: string) => Pick<GuardedCall, "run" | "ask">;
}

/** What a run may ask of the hall, beside what every process may ask. */
export function runQuestions(parts: Parts): HallQuestions {
  const { children, sandbox, scheduler, notify, ask, waits, search } = parts;
  return {
    /** The child goes on another time, and its parent asks again. */
    [RUN_QUESTIONS.spawn]: {
      action: "spawnTeamRole",
      mayBeCutOff: true,
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        const { role: roleId, rank, name, title, description } = checkedInput(Helper, input);
        await sandbox.settle();
        const { answer } = await children.start({
          runId,
          callId,
          roleId,
          rank: rankFrom({ rank, name }),
          title,
          description,
        });
        return scheduler.whileWaiting(runId, answer);
      }),
    },
    /** Its agent goes on when the person is sure to be told. */
    [RUN_QUESTIONS.notify]: {
      action: "tell",
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        const note = { callId, text: checkedInput(Told, input).text };
        await notify(runId, note);
      }),
    },
    [RUN_QUESTIONS.escalate]: {
      action: "ask",
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        const answer = waits.answerTo(runId, callId);
        if (answer !== undefined) return answer;
        const question = checkedInput(Question, input);
        const asked = await ask(runId, { callId, question });
        if (asked.state === "told") return { output: asked.text };
        // A run that waits doesn't hear this reply; it asks again when it continues.
        await waits.park(runId, { reason: "answer", text: question.question, callId, escalationId: asked.id });
        return waits.answerTo(runId, callId);
      }),
    },
    [RUN_QUESTIONS.teamMsg]: {
      action: "writeProjectMemory",
      answer: plainly((input, asking) => {
        const { runId, callId } = callOf(asking);
        return parts.teamMsg(runId, { callId, input });
      }),
    },
    ...memberQuestions(parts),
    ...guardQuestions(parts),
    /** Which runs search, their plans say. */
    [RUN_QUESTIONS.search]: {
      action: "readProject",
      mayBeCutOff: true,
      answer: plainly(async (input) => search(checkedInput(Search, input))),
    },
  };
}

function memberQuestions({
  members,
  children,
  sandbox,
  scheduler,
  ask,
  waits,
  guardedRun,
  treeOf,
}: Parts): HallQuestions {
  return {
    [RUN_QUESTIONS.teamTask]: {
      action: "readProject",
      answer: plainly(async (input, { runId }) => {
        const { run } = guardedRun(ofRun(runId));
        return members.part.task(run, checkedInput(TaskOfTeam, input).task);
      }),
    },
    /** The subagent goes on another time, and the member asks again. */
    [RUN_QUESTIONS.delegate]: {
      action: "spawnTeamRole",
      mayBeCutOff: true,
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        const brought = waits.answerTo(runId, callId);
        if (brought !== undefined) return brought;
        const delegated = checkedInput(Delegated, input);
        await sandbox.settle();
        const { ask: question, ...answer } = await members.part.delegate({
          ...{ ...delegated, callId, run: guardedRun(runId).run },
          start: async (order) => {
            const started = await children.start({ runId, callId, rank: "worker", ...order });
            const run = await scheduler.whileWaiting(runId, started.ended);
            return { run, answer: await started.answer };
          },
          tree: () => treeOf(runId),
        });
        if (question === undefined) return answer;
        const asked = await ask(runId, { callId, question, origin: "consensus" });
        if (asked.state === "told") return { ...answer, output: `${answer.output}\n\n${asked.text}` };
        // A run that waits doesn't hear this reply; it asks again when it continues.
        await waits.park(runId, { reason: "answer", text: question.question, callId, escalationId: asked.id });
        return waits.answerTo(runId, callId) ?? answer;
      }),
    },
  };
}

/** What the hall is asked about calls. */
function guardQuestions({ guarding, guardedRun, waits }: Parts): HallQuestions {
  return {
    [RUN_QUESTIONS.permit]: {
      action: "ask",
      mayBeCutOff: true,
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        const call = { callId, ...checkedInput(Call, input) };
        for (let round = 1; round <= MOST_ROUNDS; round++) {
          const brought = waits.answerTo(runId, callId)?.output;
          const permit = await guarding.permit({ ...guardedRun(runId), ...call, brought });
          if (!("state" in permit)) return permit;
          // A run that waits doesn't hear this reply; it asks again when it continues.
          const isParked = await waits.park(runId, { reason: "answer", text: permit.text, callId });
          if (isParked) return { allowed: false, reason: "Waiting for permission." };
        }
        return { allowed: false, reason: "The run is ending." };
      }),
    },
    [RUN_QUESTIONS.called]: {
      action: "ask",
      answer: plainly(async (input, asking) => {
        const { runId, callId } = callOf(asking);
        return guarding.called({ ...guardedRun(runId), callId, ...checkedInput(Called, input) });
      }),
    },
    [RUN_QUESTIONS.starting]: {
      action: "ask",
      answer: plainly(async (_, { runId }) => guarding.starting(guardedRun(ofRun(runId)).run)),
    },
    [RUN_QUESTIONS.ending]: {
      action: "ask",
      mayBeCutOff: true,
      answer: plainly(async (input, { runId }) =>
        guarding.ending(guardedRun(ofRun(runId)).run, checkedInput(Ending, input)),
      ),
    },
  };
}

function ofRun(runId: string | undefined): string {
  if (runId === undefined) throw new HallError("invalid", "Only a run asks this.");
  return runId;
}

function callOf({ runId, callId }: Asking): { runId: string; callId: string } {
  if (runId === undefined || callId === undefined) throw new HallError("invalid", "callId: is missing.");
  return { runId, callId };
}

/** A run is told what was refused, without the hints that are for people and clients of the API. */
function plainly(answer: HallAnswer): HallAnswer {
  return async (input, asking) => {
    try {
      return await answer(input, asking);
    } catch (error) {
      throw error instanceof HallError ? new Error(error.message) : error;
    }
  };
}

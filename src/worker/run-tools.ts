import type { Deadline } from "../agent/run-time.ts";
import type { Tool } from "../agent/tool.ts";
import { type HallPort, hallTools } from "../agent/tools/hall-tools.ts";
import { projectKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { type MemberPort, memberTools } from "../agent/tools/member-tools.ts";
import { outgoingTools } from "../agent/tools/outgoing-tool.ts";
import { teamMsgTool } from "../agent/tools/team-msg-tool.ts";
import { webSearchTool } from "../agent/tools/web-tools.ts";
import type { SearchHit } from "../contract/documents/web.ts";
import type { WorktreeOutfit } from "../contract/documents/worktree.ts";
import { type ChildAnswer, RUN_QUESTIONS } from "../contract/runs/hall-questions.ts";
import type { OrderOf } from "../contract/runs/protocol.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { LaterAnswer } from "../contract/runs/waiting.ts";
import { placeKind } from "../store/host/host-places.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import { askedKnowledge } from "./asked-knowledge.ts";
import { withCommands } from "./command-tools.ts";
import { skillTools } from "./skill-tools.ts";
import type { Workshop } from "./workshop.ts";

interface Parts {
  plan: RunPlan;
  order: OrderOf<"run">;
  shop: Workshop;
  deadline: Deadline;
  redactor: Redactor;
  /** Aborted when the process leaves the run: nothing is asked of the hall any more. */
  leaving: AbortSignal;
  /** Called before the run waits for another. */
  giveSlotBack: () => void;
}

/** The tools that the plan of a run grants, over its folder and its hall; nothing that is secret goes out by them. */
export function runTools(parts: Parts): Tool[] {
  const { order, shop, deadline, redactor } = parts;
  const plan = outfitted(parts.plan, order.outfit);
  const { folder, checkout, journals, send, nextMark } = shop;
  const workdir = folder.path;
  const skills = skillTools({ plan, projectPath: journals.root, checkout, workdir, nextMark });
  const tools = [...folder.tools, ...shop.otherTools, ...skills, ...askingTools(parts)];
  const guarded = outgoingTools(tools, redactor, () => performance.now());
  const place = {
    ...{ plan, workdir, checkout, journals, journal: order.journal, orderId: order.id, redactor, send },
    guards: guardedFolders(plan, workdir).map(shop.guardOf),
    timeLeft: () => deadline.left,
  };
  return withCommands(guarded, place).filter((tool) => plan.tools.value.includes(tool.spec.name));
}

/** In a worktree, commands have more. */
function outfitted(plan: RunPlan, outfit: WorktreeOutfit | undefined): RunPlan {
  const { sandbox } = plan;
  if (outfit === undefined || sandbox === undefined) return plan;
  const writable = [...sandbox.writable, ...outfit.writable];
  return { ...plan, sandbox: { ...sandbox, writable, env: outfit.env } };
}

/** Where commands may write and leave no repository behind: a worktree has one, and what is in it is looked at when it is saved. */
function guardedFolders({ workplace, sandbox }: RunPlan, workdir: string): string[] {
  const others = (sandbox?.writable ?? []).filter((path) => placeKind(path) === "folder");
  return [...new Set([...(workplace === undefined ? [workdir] : []), ...others])];
}

/** Those that ask the hall for something. */
function askingTools({ plan, order: { id: orderId }, shop, deadline, leaving, giveSlotBack }: Parts): Tool[] {
  const { hall, folder, nextMark } = shop;
  const until = (signal: AbortSignal) => AbortSignal.any([signal, leaving]);
  const ask = (question: { what: string; callId?: string; input: unknown }, signal: AbortSignal) =>
    hall.ask({ ...question, orderId }, until(signal));
  const port: HallPort = {
    hasFile: folder.hasFile,
    notify: async ({ callId, text }, signal) => {
      const reply = await ask({ what: RUN_QUESTIONS.notify, callId, input: { text } }, signal);
      return reply.ok ? {} : { hindrance: reply.message };
    },
    escalate: async ({ callId, question }, signal) => {
      const reply = await deadline.pauseDuring(() =>
        ask({ what: RUN_QUESTIONS.escalate, callId, input: question }, signal),
      );
      return reply.ok ? (reply.value as LaterAnswer) : { output: reply.message, failed: true };
    },
    spawn: async ({ callId, helper: input }, signal) => {
      giveSlotBack();
      const question = { what: RUN_QUESTIONS.spawn, callId, input };
      const reply = await deadline.pauseDuring(() => ask(question, signal));
      return reply.ok ? (reply.value as ChildAnswer) : { output: reply.message, failed: true, files: [] };
    },
  };
  const members: MemberPort = {
    task: async (input, signal) => {
      const reply = await ask({ what: RUN_QUESTIONS.teamTask, input }, signal);
      return reply.ok ? { output: String(reply.value) } : { output: reply.message, failed: true };
    },
    delegate: async ({ callId, delegated: input }, signal) => {
      giveSlotBack();
      const question = { what: RUN_QUESTIONS.delegate, callId, input };
      const reply = await deadline.pauseDuring(() => ask(question, signal));
      return reply.ok ? (reply.value as ChildAnswer) : { output: reply.message, failed: true, files: [] };
    },
  };
  const search = webSearchTool(
    {
      search: async (input, signal) => {
        const reply = await ask({ what: RUN_QUESTIONS.search, input }, signal);
        return reply.ok ? (reply.value as SearchHit[]) : reply.message;
      },
    },
    nextMark,
  );
  const team = teamMsgTool({
    teamMsg: async ({ callId, input }, signal) => {
      const reply = await deadline.pauseDuring(() => ask({ what: RUN_QUESTIONS.teamMsg, callId, input }, signal));
      return reply.ok ? { output: String(reply.value) } : { output: reply.message, failed: true };
    },
  });
  return [
    search,
    team,
    ...projectKnowledgeTools(askedKnowledge({ ask })),
    ...memberTools(members),
    ...hallTools(port, {
      purpose: plan.purpose,
      tiers: plan.tiers ?? "",
      gateReview: plan.gateReview,
      handIn: plan.handIn,
      returns: plan.returns,
    }),
  ];
}

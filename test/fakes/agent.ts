import { z } from "zod";
import type { AgentPorts } from "../../src/agent/agent-work.ts";
import { runAgent } from "../../src/agent/run-agent.ts";
import { defineTool, type Tool } from "../../src/agent/tool.ts";
import { type HallPort, hallTools } from "../../src/agent/tools/hall-tools.ts";
import { Transcript } from "../../src/agent/transcript.ts";
import type { JournalEntry, RunEnd } from "../../src/contract/runs/journal.ts";
import { type Message, type ModelAnswer, ModelFailure, type ToolCall } from "../../src/contract/runs/model-call.ts";
import type { RunPlan } from "../../src/contract/runs/run.ts";
import { runPlan } from "./api-documents.ts";

const plan = runPlan({ prompt: "Fix the login.", limits: { turns: 50, seconds: 60, repeats: 5 } });

export const begun: JournalEntry = { type: "plan", plan };

export function call(id: string, name: string, input: object | string = {}): ToolCall {
  return { id, name, input: typeof input === "string" ? input : JSON.stringify(input) };
}

function answered(more: Partial<ModelAnswer> = {}): ModelAnswer {
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const finish = (more.calls ?? []).length > 0 ? ("calls" as const) : ("end" as const);
  return { model: "m", text: "", thinking: [], calls: [], finish, usage, costUsd: 0.01, ...more };
}

/** As the answer stands in the journal. */
export function said(more: Partial<ModelAnswer> = {}): JournalEntry {
  const { calls, thinking, ...answer } = answered(more);
  return { type: "answer", ...answer, ...(calls.length === 0 ? {} : { calls }), at: "2026-11-15T12:00:00.000Z" };
}

/** What the model does in one turn: an answer, a failure, or something of its own. */
export type Turn = Partial<ModelAnswer> | ModelFailure | ((messages: Message[]) => Promise<ModelAnswer>);

export interface Setup {
  /** The call at which it was left to wait. */
  parkedAt?: string;
  journal?: JournalEntry[];
  limits?: Partial<RunPlan["limits"]>;
  contextWindow?: number;
  tools?: Tool[];
  /** Said to the agent before each turn, by number of the turn. */
  messages?: Record<number, string>;
  signal?: AbortSignal;
  /** Gets a line for everything that came to be on disk. */
  order?: string[];
  clock?: () => Date;
  uptime?: () => number;
}

export interface Played {
  end: RunEnd;
  written: JournalEntry[];
  asked: { messages: Message[]; tools: string[]; aside: boolean }[];
}

/** One agent with a model that plays the turns given. */
export async function play(turns: Turn[], setup: Setup = {}): Promise<Played> {
  const played: Omit<Played, "end"> = { written: [], asked: [] };
  const own = { ...plan, limits: { ...plan.limits, ...setup.limits }, contextWindow: setup.contextWindow ?? 100_000 };
  const journal = setup.journal ?? [begun];
  const transcript = new Transcript(
    journal.map((entry) => (entry.type === "plan" ? { type: "plan", plan: own } : entry)),
  );
  const waiting = [...turns];
  let turn = 0;
  const ports: AgentPorts = {
    ask: async ({ messages, tools, aside = false }) => {
      played.asked.push({ messages: structuredClone(messages), tools: tools.map(({ name }) => name), aside });
      const next = waiting.shift();
      if (next === undefined) throw new Error("the model was asked once more than expected");
      if (next instanceof ModelFailure) throw next;
      return typeof next === "function" ? next(messages) : answered(next);
    },
    tools: setup.tools ?? [],
    journal: async (entry) => {
      played.written.push(entry);
      await new Promise(setImmediate);
      setup.order?.push(`${entry.type} is on disk`);
    },
    withToolSlot: (work) => work(),
    redact: (entry) => entry,
    pause: async (ms) => void setup.order?.push(`paused for ${ms} ms`),
    takeMessages: () => {
      const text = setup.messages?.[++turn];
      return text === undefined ? [] : [{ type: "message", from: "person", id: `m${turn}`, text }];
    },
    onActivity: () => undefined,
    signal: setup.signal ?? new AbortController().signal,
    clock: setup.clock ?? (() => new Date("2026-11-15T12:00:00.000Z")),
    uptime: setup.uptime ?? (() => 0),
  };
  const { limits, contextWindow } = own;
  const context = { who: `role '${own.roleId}'`, what: "The run", model: own.model.value, limits, contextWindow };
  const end = await runAgent({ ...context, transcript, parkedAt: setup.parkedAt }, ports);
  return { ...played, end };
}

interface Trick {
  changes?: boolean;
  repeatable?: boolean;
  unremembered?: boolean;
  run?: (input: Record<string, unknown>, use: { callId: string; signal: AbortSignal }) => Promise<string> | string;
  files?: string[];
}

/** A tool that does what the test says. */
export function tool(
  name: string,
  { changes = false, repeatable, unremembered, run = () => "ok", files }: Trick = {},
): Tool {
  return defineTool({
    name,
    description: name,
    input: z.looseObject({}),
    changes,
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(unremembered === undefined ? {} : { unremembered }),
    run: async (input, use) => ({ output: await run(input, use), ...(files === undefined ? {} : { files }) }),
  });
}

export function reportTool(purpose: RunPlan["purpose"] = "work"): Tool {
  const nobody: HallPort = {
    notify: async () => ({}),
    escalate: async () => ({ output: "" }),
    spawn: async () => ({ output: "", failed: false, files: [] }),
    hasFile: () => true,
  };
  const found = hallTools(nobody, { purpose, tiers: "" }).find(({ spec }) => spec.name === "report");
  if (found === undefined) throw new Error("there is no tool report");
  return found;
}

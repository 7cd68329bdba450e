import type { z } from "zod";
import { jsonSchemaOf, type Tool } from "../agent/tool.ts";
import { ExecInput } from "../agent/tools/exec-tool.ts";
import { fileTools } from "../agent/tools/files/file-tools.ts";
import { hallTools } from "../agent/tools/hall-tools.ts";
import { projectKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { memberTools } from "../agent/tools/member-tools.ts";
import { memoryTools } from "../agent/tools/memory-tools.ts";
import { teamMsgTool } from "../agent/tools/team-msg-tool.ts";
import { webFetchTool, webSearchTool } from "../agent/tools/web-tools.ts";
import { knownShape } from "../contract/known-shape.ts";
import { JournalEntry } from "../contract/runs/journal.ts";
import type { ModelAnswer } from "../contract/runs/model-call.ts";
import { ToProcess } from "../contract/runs/protocol.ts";
import type { RunPlan } from "../contract/runs/run.ts";

/**
 * Makes what a process makes for its first run whatever that is, so that a start-up snapshot has it: schemas as models are shown
 * them, and the code with which messages and lines are checked. A process then has its first request ready 20 ms sooner.
 */
export function warmUp(): void {
  toolsOfRuns();
  jsonSchemaOf(ExecInput());
  for (const message of MESSAGES) check(ToProcess, message);
  for (const entry of ENTRIES) check(JournalEntry, entry);
}

/** One that is refused would leave the rest unchecked, and its code unmade. */
function check(schema: z.ZodType, sample: object): void {
  if (knownShape(schema, sample) === undefined) throw new Error(`A sample is not valid: ${JSON.stringify(sample)}`);
}

/** They are made and not called: what they would work with is not there. */
function toolsOfRuns(): Tool[] {
  const nothing = {} as never;
  const mark = () => "";
  return [
    ...fileTools(nothing),
    ...memoryTools(nothing),
    ...projectKnowledgeTools(nothing),
    ...memberTools(nothing),
    ...hallTools(nothing, { purpose: "work", tiers: "" }),
    teamMsgTool(nothing),
    webFetchTool({ rules: nothing, nextMark: mark }),
    webSearchTool(nothing, mark),
  ];
}

const AT = "2026-01-01T00:00:00.000Z";
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const CALL = { id: "call", name: "read", input: "{}" };
const THOUGHT = { text: "" };

const PLAN: RunPlan = {
  ...{ runId: "run", projectId: "project", taskId: "TASK-001", roleId: "role", rank: "worker", depth: 0, title: "" },
  ...{ system: "", prompt: "", contextWindow: 1, cut: [], purpose: "work", createdAt: AT },
  model: { value: "", because: "" },
  thinking: { value: "off", because: "" },
  timeout: { value: 1, because: "" },
  tools: { value: [], because: "" },
  limits: { turns: 1, seconds: 1, repeats: 1 },
  options: { notifyOnComplete: false, createArtifact: false },
  knowledge: { used: [], of: 0 },
};

const ANSWER: ModelAnswer = {
  ...{ model: "", text: "", thinking: [THOUGHT], calls: [CALL], finish: "calls", usage: USAGE, costUsd: 0 },
};

const MESSAGES: readonly ToProcess[] = [
  {
    ...{ type: "init", projectPath: "", workdir: "", toolSlots: 1, envFiles: [], searches: [] },
    web: { userAgent: "", ports: [], allow: [] },
    fingerprints: { salt: "", values: [{ mark: "", length: 1, start: 1, hash: "" }] },
  },
  {
    type: "order",
    order: {
      ...{ kind: "run", id: "order", runId: "run", epoch: 1, journal: "", plan: PLAN, guards: {} },
      messages: [{ id: "message", text: "" }],
    },
  },
  { type: "begin", orderId: "order", messages: [] },
  { type: "llm_response", requestId: "request", answer: ANSWER },
  { type: "reply", requestId: "request", ok: true },
];

const ENTRIES: readonly JournalEntry[] = [
  { type: "plan", plan: PLAN, request: {} as never },
  { ...ANSWER, type: "answer", at: AT },
];

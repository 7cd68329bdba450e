import type { HealthSettings } from "../../contract/documents/config.ts";
import type { RunContext } from "../../contract/runs/run.ts";
import { HEALTH_LIMITS, type HealthIssueType } from "../../contract/words/teams/health-words.ts";

/** A tool call that came to an end. */
export interface SeenCall {
  id: string;
  tool: string;
  /** Calls with the same are alike. */
  alike: string;
  failed: boolean;
  /** It changed files: whatever is repeated afterwards may turn out differently. */
  changed: boolean;
}

/** What a member did lately. Times are milliseconds of a clock that never jumps. */
export interface MemberActivity {
  /** Its last sign of life. */
  activeAt: number;
  /** For a person, a budget, a permission, a quota or its turn. */
  isWaiting: boolean;
  /** The model that was asked and has not answered; undefined where none was. */
  asks?: string | undefined;
  /** Time limit of the command that runs, in seconds. */
  commandSeconds?: number | undefined;
  /** The newest last. */
  calls: readonly SeenCall[];
  context?: RunContext | undefined;
}

export interface FoundIssue {
  issue: HealthIssueType;
  reason: string;
  /** What it was seen by: as long as it is the same, nothing has happened since. */
  mark?: string | undefined;
}

/** What is wrong with a member that has a task. */
export function issuesOf(activity: MemberActivity, now: number, settings: HealthSettings): FoundIssue[] {
  const found = [
    stall(activity, now, settings),
    errorLoop(activity, settings),
    retryStorm(activity, settings),
    exhaustion(activity, settings),
  ];
  return found.filter((issue) => issue !== undefined);
}

/** How long a member may show no sign of life. A command has its own time limit, and a model its own allowance. */
function allowedSeconds({ asks, commandSeconds = 0 }: MemberActivity, settings: HealthSettings): number {
  const { stallSeconds, modelSeconds, models } = settings;
  if (asks !== undefined) return models[asks] ?? modelSeconds;
  return Math.max(stallSeconds, commandSeconds);
}

function stall(activity: MemberActivity, now: number, settings: HealthSettings): FoundIssue | undefined {
  const seconds = (now - activity.activeAt) / 1_000;
  if (activity.isWaiting || seconds < allowedSeconds(activity, settings)) return undefined;
  const asked = activity.asks === undefined ? "" : ` ${activity.asks} hasn't answered.`;
  return { issue: "stall", reason: `No activity for ${duration(seconds)}.${asked}` };
}

/** A change to files ends a loop: a test that fails after each edit is work. */
function errorLoop({ calls }: MemberActivity, { errorCalls }: HealthSettings): FoundIssue | undefined {
  const failures = new Map<string, number>();
  for (const { tool, failed, changed } of calls) {
    if (changed) failures.clear();
    failures.set(tool, failed ? (failures.get(tool) ?? 0) + 1 : 0);
  }
  const last = calls.at(-1);
  const times = last === undefined ? 0 : (failures.get(last.tool) ?? 0);
  if (last === undefined || times < errorCalls) return undefined;
  return { issue: "error-loop", reason: `${last.tool} failed ${counted(times)} times in a row.`, mark: last.id };
}

/** Tools that only look. */
const RESEARCH: ReadonlySet<string> = new Set(
  "read list search web_fetch web_search knowledge_search memory_read memory_list".split(" "),
);

function retryStorm(activity: MemberActivity, settings: HealthSettings): FoundIssue | undefined {
  const { calls } = activity;
  const from = calls.findLastIndex(({ changed }) => changed) + 1;
  const last = calls.at(-1);
  const times = calls.slice(from).filter(({ alike }) => alike === last?.alike).length;
  if (last === undefined) return undefined;
  const most = RESEARCH.has(last.tool) ? settings.alikeResearchCalls : settings.alikeCalls;
  if (times < most) return undefined;
  return {
    issue: "retry-storm",
    reason: `${last.tool} was called ${counted(times)} times alike, without a change.`,
    mark: last.id,
  };
}

function exhaustion({ context }: MemberActivity, { contextPercent }: HealthSettings): FoundIssue | undefined {
  if (context === undefined || context.window <= 0) return undefined;
  const percent = Math.floor((context.used / context.window) * 100);
  if (percent < contextPercent) return undefined;
  const reason = `Its context is ${percent} % full (${context.used} of ${context.window} tokens).`;
  return { issue: "context-exhaustion", reason, mark: String(context.used) };
}

/** Calls that differ only in numbers, spaces or case are alike. */
export function alikeOf(tool: string, input: string): string {
  return `${tool} ${input.toLowerCase().replaceAll(/\d+/g, "0").replaceAll(/\s+/g, " ")}`;
}

/** Of more, the first ones are forgotten. */
function counted(times: number): string {
  return times < HEALTH_LIMITS.calls ? String(times) : `at least ${times}`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min`;
}

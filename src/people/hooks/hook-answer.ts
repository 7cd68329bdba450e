import { z } from "zod";
import { GUARDING, type HookEvent } from "../../contract/documents/hook.ts";
import { cutText } from "../../contract/words/cut-text.ts";

/** How a hook's program or address ended. */
export type HookEnd =
  | { kind: "exit"; code: number; out: string; err: string }
  | { kind: "status"; status: number; body: string }
  /** It could not be run, or not to its end. */
  | { kind: "unable"; reason: string };

/** What one hook says. `context`: for the agent to know, without a refusal. */
export type HookAnswer =
  | { outcome: "allowed"; context?: string | undefined }
  | { outcome: "refused"; text: string }
  | { outcome: "failed"; text: string };

const REFUSES = 2;
/** Blanks of one line only: across lines, empty ones would be read again from each of them. */
const JSON_LINE = /^[^\S\n]*(?:\[[^\S\n]*)?\{/m;
const JSON_OUTPUT = /^\s*\{/;

const text = z.string().optional();
const permission = {
  permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
  permissionDecisionReason: text,
};
/** Other fields of Claude Code's format are accepted and have no effect. */
const Decided = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: text,
  decision: z.enum(["approve", "allow", "block", "deny"]).optional(),
  reason: text,
  ...permission,
  hookSpecificOutput: z.looseObject({ ...permission, additionalContext: text }).optional(),
});

/** Only exit 0, or a 2xx response, whose output says nothing else allows. */
export function answerOf(end: HookEnd, event: HookEvent): HookAnswer {
  switch (end.kind) {
    case "unable":
      return { outcome: "failed", text: end.reason };
    case "exit":
      if (end.code === 0) return decisionIn(end.out, event);
      if (end.code === REFUSES) return { outcome: "refused", text: end.err.trim() || "It gave no reason." };
      return { outcome: "failed", text: `it exited with code ${end.code}${said(end.err || end.out)}` };
    case "status":
      if (end.status >= 200 && end.status < 300) return decisionIn(end.body, event);
      if (end.status >= 300 && end.status < 400)
        return { outcome: "failed", text: `it answered ${end.status}, and redirects are not followed` };
      return { outcome: "failed", text: `it answered ${end.status}${said(end.body)}` };
  }
}

/** Text is context at the start of a session, and has no effect elsewhere. Of a guard, a line that begins JSON begins a decision. */
function decisionIn(output: string, event: HookEvent): HookAnswer {
  const begun = output.search(GUARDING.includes(event) ? JSON_LINE : JSON_OUTPUT);
  const plain = output.slice(Math.max(begun, 0)).trim();
  if (begun === -1) return event === "SessionStart" ? allowed(plain) : { outcome: "allowed" };
  const decided = parsed(plain);
  if (decided === undefined) return { outcome: "failed", text: `its output is not a valid decision${said(plain)}` };
  const { hookSpecificOutput: more } = decided;
  const isRefused = decided.decision === "block" || decided.decision === "deny" || decided.continue === false;
  if (isRefused) return { outcome: "refused", text: decided.reason ?? decided.stopReason ?? "It gave no reason." };
  const denied = [decided, more].find((one) => one?.permissionDecision === "deny" || one?.permissionDecision === "ask");
  if (denied !== undefined)
    return { outcome: "refused", text: denied.permissionDecisionReason ?? "It gave no reason." };
  return allowed(more?.additionalContext);
}

function allowed(context: string | undefined): HookAnswer {
  return { outcome: "allowed", ...(context === undefined || context === "" ? {} : { context }) };
}

function parsed(output: string): z.infer<typeof Decided> | undefined {
  try {
    return Decided.safeParse(JSON.parse(output)).data;
  } catch {
    return undefined;
  }
}

const MOST_QUOTED = 1_000;

function said(output: string): string {
  const plain = output.trim();
  if (plain === "") return "";
  return `: ${cutText(plain, MOST_QUOTED)}`;
}

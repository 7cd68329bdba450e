import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { escalationOf } from "../references.ts";
import { decidedText } from "../text/escalation-text.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { localTime } from "../text/text-card.ts";

const escalation = { kind: "one", help: "Escalation id, or its last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "escalation promote": command(
    {
      summary: "Take over a draft now, without waiting for agents to review it",
      args: { escalation },
      options: { reason: { kind: "text", value: "TEXT", help: "Reason" } },
      examples: ["escalation promote esc-004"],
    },
    async ({ escalation: given, reason }, context) => {
      const params = { id: await escalationOf(given, context) };
      const answer = await context.call("promoteEscalation", { params, body: { reason } });
      context.output.answer(answer, () => `Pending: ${asked(answer.escalation.question)}`);
      return 0;
    },
  ),

  "escalation dismiss": command(
    {
      summary: "Close an escalation without an answer",
      detail:
        "The reason reaches the agent that asked. Entries without an asker, such as unreadable files, are hidden until they change.",
      args: { escalation },
      options: { reason: { kind: "text", value: "TEXT", help: "Reason (required)" } },
      examples: ["escalation dismiss esc-004 --reason 'No longer needed'"],
    },
    async ({ escalation: given, reason }, context) => {
      if (reason === undefined || reason.trim() === "")
        throw new HallError("usage", "Missing reason.", { hint: "Pass --reason TEXT." });
      const params = { id: await escalationOf(given, context) };
      const answer = await context.call("dismissEscalation", { params, body: { reason } });
      context.output.answer(answer, () => decidedText(answer.escalation, context.output.calledAs));
      return 0;
    },
  ),

  "escalation undo": command(
    {
      summary: "Undo an answer or a dismissal, as long as nothing has acted on it",
      args: { escalation },
      examples: ["escalation undo esc-004"],
    },
    async ({ escalation: given }, context) => {
      const params = { id: await escalationOf(given, context) };
      const answer = await context.call("undoEscalation", { params, body: {} });
      context.output.answer(answer, () => `Pending again: ${asked(answer.escalation.question)}`);
      return 0;
    },
  ),

  "escalation snooze": command(
    {
      summary: "Hide an escalation until a time",
      args: { escalation },
      options: {
        for: { kind: "text", value: "DURATION", help: "Duration, such as 30m, 2h or 3d" },
        until: { kind: "text", value: "TIME", help: "Until this time (ISO 8601); '' shows it again" },
      },
      examples: ["escalation snooze esc-004 --for 2h", "escalation snooze esc-004 --until 2026-12-01T09:00:00Z"],
    },
    async ({ escalation: given, for: duration, until }, context) => {
      const time = snoozeTime({ duration, until }, context.host.time.now());
      const params = { id: await escalationOf(given, context, { snoozed: true }) };
      const answer = await context.call("snoozeEscalation", { params, body: { until: time } });
      const { question } = answer.escalation;
      context.output.answer(answer, () =>
        time === null ? `Shown again: ${asked(question)}` : `Snoozed until ${localTime(time)}: ${asked(question)}`,
      );
      return 0;
    },
  ),

  "escalation hand": command(
    {
      summary: "Let an agent decide an escalation",
      detail: "The agent chooses an answer and gives its reason. Results, limits and permissions stay with you.",
      args: { escalation },
      options: { to: { kind: "text", value: "AGENT", help: "Agent (default: main)", words: ["main", "project"] } },
      examples: ["escalation hand esc-004", "escalation hand esc-004 --to project"],
    },
    async ({ escalation: given, to }, context) => {
      const params = { id: await escalationOf(given, context) };
      const answer = await context.call("handEscalation", {
        params,
        body: { to: to as "main" | "project" | undefined },
      });
      const agent = to === "project" ? "the project's agent" : "the main agent";
      context.output.answer(answer, () => `Handed to ${agent}: ${asked(answer.escalation.question)}`);
      return 0;
    },
  ),
};

function asked(question: string): string {
  return oneLine(everySign(question));
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function snoozeTime({ duration, until }: { duration: string | undefined; until: string | undefined }, now: number) {
  if ((duration === undefined) === (until === undefined))
    throw new HallError("usage", "Pass either --for or --until.", { hint: "For example --for 2h." });
  if (until === "") return null;
  const [, amount = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(duration?.trim() ?? "") ?? [];
  const time = until === undefined ? now + Number(amount) * (UNITS[unit] ?? Number.NaN) : Date.parse(until);
  if (Number.isNaN(time) || amount + (until ?? "") === "")
    throw new HallError("usage", `'${duration ?? until}' is not a ${until === undefined ? "duration" : "time"}.`, {
      hint: until === undefined ? "Use 30m, 2h or 3d." : "Use ISO 8601, such as 2026-12-01T09:00:00Z.",
    });
  return new Date(time).toISOString();
}

import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import { eventChanges } from "../../contract/words/event-words.ts";
import { command } from "../command.ts";
import { type Context, chosenProject } from "../context.ts";
import { onlyProject } from "../shared-options.ts";
import type { Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { count, localTime } from "../text/text-card.ts";
import type { TableSpace } from "../text/text-table.ts";
import { fitPath, fitText, textWidth } from "../text/text-width.ts";

const GAP = "  ";
const NARROW = 100;
const LEAST_WHERE = 8;
const LEAST_CHANGE = 8;

const USUAL_LINES = 20;
const MOST_LINES = 1_000;
const RECONNECT = { firstMs: 250, longestMs: 10_000 };
const BROKEN = 4;
const SILENCE_MS = 600_000;

export const commands = {
  "events tail": command(
    {
      summary: "Show and follow recent events",
      detail:
        "--follow runs until Ctrl-C (exit code 130), reconnects automatically and misses no events. " +
        "With --json, each event is one line.",
      options: {
        lines: { kind: "number", short: "n", value: "N", help: "Number of past events (0 to 1000, default 20)" },
        follow: { kind: "flag", short: "f", help: "Follow new events" },
        project: onlyProject,
      },
      examples: ["events tail -n 50", "events tail -f -p shop --json"],
    },
    async ({ lines = USUAL_LINES, follow: endless, project }, context) => {
      if (!(Number.isInteger(lines) && lines >= 0 && lines <= MOST_LINES)) {
        throw new HallError("usage", `--lines must be a whole number from 0 to ${MOST_LINES}.`);
      }
      const only = chosenProject(project, context);
      const events = await newest(lines, only, context);
      for (const event of events.shown) show(event, context);
      if (endless === true) await follow(events.last, only, context);
      else if (events.shown.length === 0 && lines > 0 && !context.output.json)
        context.output.row([], () => (only === undefined ? "No events yet." : `No events for ${only}.`));
      return 0;
    },
  ),

  "audit verify": command(
    {
      summary: "Verify the hash chain of the event log and the run journals",
      detail: "Exits with 4 when the chain is broken or the journal of a finished run was changed.",
      examples: ["audit verify"],
    },
    async (_, { call, output }) => {
      const report = await call("verifyAudit", { silenceMs: SILENCE_MS });
      output.answer(report, () => {
        const extent = `${count(report.events, "event")} on ${count(report.days, "day")}, ${count(report.journals, "journal")}, ${count(report.ledgers, "day")} of costs`;
        if (report.ok)
          return `${output.paint("green", "The event log is valid")}: ${extent}, up to ${oneLine(report.head)}.`;
        const faults = report.faults.map(
          ({ file, line, reason }) => `  ${oneLine(line === 0 ? file : `${file}:${line}`)}  ${oneLine(reason)}`,
        );
        return [
          `${output.paint("red", "The event log is damaged")}: ${extent}, ${count(report.faults.length, "fault")}`,
          ...faults,
        ].join("\n");
      });
      return report.ok ? 0 : BROKEN;
    },
  ),
};

/** The newest events, and the number after which new ones come. */
async function newest(
  lines: number,
  project: string | undefined,
  { call }: Context,
): Promise<{ shown: HallEvent[]; last: number }> {
  if (lines === 0) {
    const { events } = await call("listEvents", { query: { tail: 1 } });
    return { shown: [], last: events.at(-1)?.seq ?? 0 };
  }
  const { events } = await call("listEvents", { query: { tail: lines, project } });
  return { shown: events, last: events.at(-1)?.seq ?? 0 };
}

/** Ends only with the process: a daemon that goes away is waited for, and asked for everything since the last event seen. */
async function follow(from: number, project: string | undefined, context: Context): Promise<never> {
  const { host, output } = context;
  let last = from;
  for (let failures = 0; ; failures++) {
    try {
      for await (const event of streamed(last, project, context)) {
        failures = 0;
        if (event.seq <= last) continue;
        last = event.seq;
        show(event, context);
      }
    } catch (error) {
      if (!(error instanceof HallError) || !["daemon_unreachable", "stopping"].includes(error.code)) throw error;
    }
    if (failures === 0) output.note("Lost the connection to the daemon. Reconnecting…");
    await host.time.pause(backoffMs(RECONNECT, failures + 1, NO_JITTER));
  }
}

async function* streamed(after: number, project: string | undefined, context: Context): AsyncGenerator<HallEvent> {
  for await (const live of await context.open({ topics: "events", project, after }, 0)) {
    if (live.kind === "event") yield live.event;
    // So many were missed that the stream does not replay them.
    else if (live.kind === "hello" && live.reset) yield* missed(after, project, context);
  }
}

async function* missed(from: number, project: string | undefined, { call }: Context): AsyncGenerator<HallEvent> {
  for (let after = from; ; ) {
    const { events } = await call("listEvents", { query: { after, project, limit: MOST_LINES } });
    yield* events;
    after = events.at(-1)?.seq ?? after;
    if (events.length < MOST_LINES) return;
  }
}

function show(event: HallEvent, { output }: Context): void {
  output.row(event, () => eventLine(event, output));
}

/** One event as one line: when, what, on which, by whom, and what changed as far as there is room. */
function eventLine(event: HallEvent, { paint, width = Number.POSITIVE_INFINITY }: TableSpace): string {
  const at = localTime(event.at, "seconds");
  const parts: Part[] = [
    { text: width < NARROW ? at.slice("2026-".length) : at, style: "dim" },
    { text: event.type, style: "cyan" },
  ];
  parts.push({ text: fitPath(oneLine(whereText(event)), Math.max(LEAST_WHERE, room(parts, width))), style: "bold" });
  const who = { text: oneLine(whoText(event)), style: "dim" as const };
  if (room(parts, width) >= textWidth(who.text)) parts.push(who);
  const left = room(parts, width);
  if (left >= LEAST_CHANGE) parts.push({ text: fitText(oneLine(changeText(event)), left) });
  if (left < -GAP.length) return fitText(parts.map(({ text }) => text).join(GAP), width);
  return parts.flatMap(({ text, style }) => (text === "" ? [] : [paint(style, text)])).join(GAP);
}

interface Part {
  text: string;
  style?: Style;
}

/** What is left for one more part; less than -2 when there is too much already. */
function room(parts: readonly Part[], width: number): number {
  return parts.reduce((left, { text }) => left - textWidth(text) - GAP.length, width);
}

function whereText({ projectId, subject }: HallEvent): string {
  if (projectId === undefined || projectId === subject.id || subject.kind === "file") return subject.id;
  return `${projectId}/${subject.id}`;
}

function whoText({ actor: { kind, id, via } }: HallEvent): string {
  return kind === via ? kind : `${id ?? kind} via ${via}`;
}

function changeText(event: HallEvent): string {
  return eventChanges(event)
    .map(({ field, from, to }) => (from === "" ? `${field} ${to}` : `${field} ${from} → ${to === "" ? "none" : to}`))
    .join(", ");
}

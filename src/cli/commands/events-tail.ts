import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import { type Action, type Context, chosenProject } from "../context.ts";
import { eventLine } from "../event-line.ts";

const USUAL_LINES = 20;
const MOST_LINES = 1_000;

export const eventsTail: Action<"events tail"> = async ({ lines = USUAL_LINES, follow: endless, project }, context) => {
  if (!(Number.isInteger(lines) && lines >= 0 && lines <= MOST_LINES)) {
    throw new HallError("usage", `--lines must be a whole number from 0 to ${MOST_LINES}.`);
  }
  const only = chosenProject(project, context);
  const events = await newest(lines, only, context);
  for (const event of events.shown) show(event, context);
  if (endless === true) await follow(events.last, only, context);
  else if (events.shown.length === 0 && lines > 0 && !context.output.json)
    context.output.row([], () => (only === undefined ? "There are no events yet." : `There are no events of ${only}.`));
  return 0;
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

const RECONNECT = { firstMs: 250, longestMs: 10_000 };

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
    if (failures === 0) output.note("The connection ended; waiting for the daemon.");
    await host.pause(backoffMs(RECONNECT, failures + 1, NO_JITTER));
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

import { olderResult, withPurpose } from "../agent/older-lines.ts";
import type { Delivery } from "../contract/delivery.ts";
import type { Actor } from "../contract/event.ts";
import type { Run, RunReflection } from "../contract/run.ts";
import type { LaterAnswer, Parked } from "../contract/waiting.ts";
import { fits, fitsItsType, isNumber, isText, isThing, type Shape } from "../store/line-shape.ts";
import type { IndexedRun } from "../workspace/records.ts";
import { withReflection } from "./run-facts.ts";

/** The lines of a project's runs/index.jsonl. The daemon alone writes them. */
export type BookLine =
  | { type: "created"; run: Run; journal: string; callId?: string | undefined; by: Asker }
  /** The scheduler gave the run to a process; `epoch` grows with every time. */
  | { type: "leased"; runId: string; epoch: number; at: string }
  /** The process that carried the run out died. */
  | { type: "crashed"; runId: string; epoch: number; cause: string; at: string }
  /** A person said something to the run; it reaches the model with its next turn. */
  | { type: "message"; runId: string; id: string; text: string; at: string }
  /** The agent has something to tell the person. */
  | { type: "notified"; runId: string; callId: string; text: string; at: string }
  /** Someone wants the run to end, the hall itself where nobody is named; whatever happens from here on, it does not go on. */
  | { type: "cancelling"; runId: string; reason: string; by?: Actor | undefined; at: string }
  /** It waits, and no process has it until it goes on. */
  | { type: "waiting"; runId: string; parked: Parked; at: string }
  /** It goes on. `answer`: what it waited for, of a call. */
  | { type: "resumed"; runId: string; callId?: string | undefined; answer?: LaterAnswer | undefined; at: string }
  | { type: "settled"; run: Run; epoch: number }
  /** It was looked back on. */
  | { type: "reflected"; runId: string; reflection: RunReflection }
  /** What keeps its branch from being merged is something else than before. */
  | { type: "hindered"; runId: string; delivery: Delivery; at: string }
  /** Somebody took its task up anew while its result waited for review. */
  | { type: "superseded"; runId: string; delivery: Delivery; at: string }
  /** The run that was to continue its result ended before it changed anything: the result waits for review again. */
  | { type: "returned"; runId: string; from: string; delivery: Delivery; at: string }
  /** A person decided about its result. */
  | ({ type: "reviewed"; runId: string; by: Asker; at: string } & Verdict);

export interface Verdict {
  verdict: "approved" | "rejected" | "reverted";
  /** As it is afterwards. */
  delivery: Delivery;
  /** Of the diff that was approved. */
  hash?: string | undefined;
  feedback?: string | undefined;
}

/** Who asked for a run, and under which Idempotency-Key. */
export interface Asker {
  actor: Actor;
  request?: { key: string; fingerprint: string } | undefined;
}

/** What is known of a run after a line; undefined when the line is about a run that nobody knows. */
export function withLine(known: IndexedRun | undefined, line: BookLine): IndexedRun | undefined {
  if (line.type === "created") {
    const { run, journal, callId, by } = line;
    return { run, journal, epoch: 0, crashes: 0, by: by.actor, callId, messages: [] };
  }
  if (known === undefined) return undefined;
  const { run } = known;
  switch (line.type) {
    case "leased":
      return {
        ...withoutWait(known),
        ...(known.resumed === undefined ? {} : { resumed: { epoch: line.epoch, ...known.resumed } }),
        epoch: line.epoch,
        run: { ...run, status: "running", startedAt: run.startedAt ?? line.at, attempt: line.epoch },
      };
    case "crashed":
      return { ...known, crashes: known.crashes + 1 };
    case "message":
      return { ...known, messages: [...known.messages, { id: line.id, text: line.text }] };
    case "notified":
      return { ...known, notified: [...(known.notified ?? []), line.callId] };
    case "cancelling":
      if (known.cancelling !== undefined) return known;
      return { ...known, cancelling: line.reason, ...(line.by === undefined ? {} : { stoppedBy: line.by }) };
    case "waiting":
      return { ...known, waiting: { ...line.parked, since: line.at } };
    case "resumed": {
      const { callId, answer } = line;
      const answered = callId === undefined || answer === undefined ? [] : [{ callId, ...answer }];
      const answers = [...(known.answers ?? []), ...answered];
      return { ...withoutWait(known), resumed: { callId }, ...(answers.length === 0 ? {} : { answers }) };
    }
    case "settled":
      return { ...withoutWait(known), epoch: line.epoch, run: line.run };
    case "reflected":
      return { ...known, run: withReflection(run, line.reflection) };
    case "hindered":
      // Its task may have been taken up anew meanwhile.
      return withDelivery(known, { ...line.delivery, state: run.delivery?.state ?? line.delivery.state });
    case "superseded":
      // A person may have decided at the same time, and what follows from that is shown later than it is written. A retry sends
      // the same result back again.
      return run.delivery?.state === "review" ? withDelivery(known, line.delivery) : known;
    case "returned":
      return run.delivery?.next === line.from ? withDelivery(known, line.delivery) : known;
    case "reviewed":
      return withDelivery(known, line.delivery);
  }
}

function withoutWait({ waiting: _, ...known }: IndexedRun): IndexedRun {
  return known;
}

function withDelivery(known: IndexedRun, delivery: Delivery): IndexedRun {
  return { ...known, run: { ...known.run, delivery } };
}

export function runIdOf(line: BookLine): string {
  return line.type === "created" || line.type === "settled" ? line.run.id : line.runId;
}

const RUN: Shape = {
  id: isText,
  projectId: isText,
  taskId: isText,
  roleId: isText,
  title: isText,
  status: isText,
  model: isText,
  createdAt: isText,
  usage: isThing,
};
const isRun = (value: unknown) => fits(value, RUN);
const LINES: Record<BookLine["type"], Shape> = {
  created: { run: isRun, journal: isText, by: isThing },
  leased: { runId: isText, epoch: isNumber, at: isText },
  crashed: { runId: isText },
  message: { runId: isText, id: isText, text: isText },
  notified: { runId: isText, callId: isText, text: isText },
  cancelling: { runId: isText, reason: isText },
  waiting: { runId: isText, parked: isThing, at: isText },
  resumed: { runId: isText, at: isText },
  settled: { run: isRun, epoch: isNumber },
  reflected: { runId: isText, reflection: isThing },
  hindered: { runId: isText, delivery: isThing },
  superseded: { runId: isText, delivery: isThing },
  returned: { runId: isText, from: isText, delivery: isThing },
  reviewed: { runId: isText, verdict: isText, by: isThing, delivery: isThing },
};

/** undefined for a line that is broken, or that a newer version wrote. */
export function parseBookLine(text: string): BookLine | undefined {
  try {
    const read: unknown = JSON.parse(text);
    const value = typeof read === "object" && read !== null ? olderResult(read) : read;
    if (!fitsItsType(value, LINES)) return undefined;
    const line = value as BookLine;
    return "run" in line ? { ...line, run: withPurpose(line.run) } : line;
  } catch {
    return undefined;
  }
}

import type { Delivery } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { BookLine } from "../../contract/runs/run-book.ts";
import { type ReviewFinding, withFix } from "../../contract/runs/run-review.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import { withEstimate, withReflection } from "./run-facts.ts";

/** What is known of a run after a line; undefined when the line is about a run that nobody knows. */
export function withLine(known: IndexedRun | undefined, line: BookLine): IndexedRun | undefined {
  if (line.type === "created") {
    const { run, journal, callId, by, clients } = line;
    return { run, journal, epoch: 0, crashes: 0, by: by.actor, clients, callId, messages: [] };
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
    case "message": {
      const { id, text, from } = line;
      // It may be written by whoever says it and by whoever takes the run up.
      if (known.messages.some((earlier) => earlier.id === id)) return known;
      return { ...known, messages: [...known.messages, { id, text, ...(from === undefined ? {} : { from }) }] };
    }
    case "model":
      return { ...known, run: { ...run, model: line.model, firstModel: run.firstModel ?? run.model } };
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
      return { ...withoutWait(known), epoch: line.epoch, run: withEstimate(withFixes(line.run)) };
    case "reflected":
      return { ...known, run: withReflection(run, line.reflection) };
    case "hindered":
      // Its task may have been taken up anew meanwhile.
      return withDelivery(known, { ...line.delivery, state: run.delivery?.state ?? line.delivery.state });
    case "judged":
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

/** Lines are kept as they were written, and once a fix was a `suggestion`. */
function withFixes(run: Run): Run {
  const review = run.result?.review;
  if (run.result === undefined || review === undefined || review.findings.length === 0) return run;
  const findings = review.findings.map((finding) => withFix(finding) as ReviewFinding);
  return { ...run, result: { ...run.result, review: { ...review, findings } } };
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

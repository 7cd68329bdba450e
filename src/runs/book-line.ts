import type { Run } from "../contract/run.ts";
import type { BookLine, Standing } from "../contract/run-book.ts";
import type { IndexedRun } from "../store/run-table.ts";
import { withReflection } from "./run-facts.ts";

/** What is known of a run after a line; undefined when the line is about a run that nobody knows. */
export function withLine(known: IndexedRun | undefined, line: BookLine): IndexedRun | undefined {
  if (line.type === "created")
    return { run: line.run, journal: line.journal, epoch: 0, crashes: 0, callId: line.callId, messages: [] };
  if (known === undefined) return undefined;
  const { run } = known;
  switch (line.type) {
    case "leased":
      return {
        ...known,
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
    case "settled":
      return { ...known, epoch: line.epoch, run: line.run };
    case "reflected":
      return { ...known, run: withReflection(run, line.reflection) };
    case "hindered":
      // Its task may have been taken up anew meanwhile.
      return { ...known, run: { ...run, branch: { ...line.branch, state: run.branch?.state ?? line.branch.state } } };
    case "superseded":
      // A person may have decided at the same time, and what follows from that is shown later than it is written.
      if ((run.branch ?? run.changes)?.state !== "review") return known;
      return { ...known, run: { ...run, ...standingIn(line) } };
    case "returned":
      if ((run.branch ?? run.changes)?.next !== line.from) return known;
      return { ...known, run: { ...run, ...standingIn(line) } };
    case "reviewed":
      return { ...known, run: { ...run, ...standingIn(line) } };
  }
}

export function standingIn({ branch, changes }: Standing): Pick<Run, "branch" | "changes"> {
  return { ...(branch === undefined ? {} : { branch }), ...(changes === undefined ? {} : { changes }) };
}

export function runIdOf(line: BookLine): string {
  return line.type === "created" || line.type === "settled" ? line.run.id : line.runId;
}

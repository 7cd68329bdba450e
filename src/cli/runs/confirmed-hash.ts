import { HallError } from "../../contract/errors.ts";
import type { RunDiff } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { agrees, canConfirm } from "../confirming.ts";
import type { Context } from "../context.ts";
import { diffText } from "../text/diff-text.ts";
import { oneLine } from "../text/plain-text.ts";

/** What fits into the memory of most terminals. */
const MOST_LINES = 2_000;

/** Asks one question; undefined if the person leaves. */
type Ask = (question: string) => Promise<string | undefined>;

/** Shows the diff of a run, asks for confirmation and returns the hash of what was shown. Undefined: the person declined. */
export async function confirmedHash(runId: string, context: Context, ask?: Ask): Promise<string | undefined> {
  const { host } = context;
  if (!canConfirm(context))
    throw new HallError("usage", "--hash is required.", {
      hint: hint("run-diff-hash", { run: runId }),
    });
  const answer = await context.call("getRunDiff", { params: { runId } });
  const { delivery, hash } = answer;
  // A result that isn't waiting for a decision is refused by the daemon, with the reason.
  if (delivery.state !== "review" && delivery.state !== "kept") return hash;
  showDiff(answer, { isShort: false, isFull: true, isAsked: true }, context);
  const merges = delivery.kind === "branch" && answer.head !== "";
  const question = merges ? `Merge this into ${oneLine(delivery.target)}` : "Approve this";
  const reply = (await (ask ?? host.input.ask)(`${question}? [y/N] `)) ?? "";
  return agrees(reply) ? hash : undefined;
}

export function showDiff(
  answer: RunDiff,
  { isFull, ...how }: { isShort: boolean; isFull: boolean; isAsked?: boolean },
  { host, output }: Context,
): void {
  const most = isFull || !host.out.isTerminal ? undefined : MOST_LINES;
  output.row(answer, () => diffText(answer, { ...output, ...how, most }));
}

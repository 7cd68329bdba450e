import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/harness/daemon.ts";
import type { ApiAnswer } from "./telegram-api.ts";
import { TelegramPolling } from "./telegram-polling.ts";

const pace = { firstPauseMs: 1, longestPauseMs: 4, slowMs: 5, leastMs: 1 };
const ok = (...ids: number[]): ApiAnswer => ({ kind: "ok", result: ids.map((update_id) => ({ update_id })) });
const refused = (status: number, reason: string): ApiAnswer => ({ kind: "refused", status, reason });

/** Answers one after another; then nothing comes any more. */
function polling(answers: ApiAnswer[], take: (id: number) => Promise<void> = async () => undefined) {
  const offsets: unknown[] = [];
  const troubles: string[] = [];
  const taken: number[] = [];
  let atOnce = 0;
  const poll = new TelegramPolling({
    api: {
      call: async (_, params, { signal }) => {
        expect(++atOnce).toBe(1);
        offsets.push("offset" in params ? params.offset : undefined);
        const answer = answers.shift();
        if (answer === undefined)
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        else await Promise.resolve();
        atOnce--;
        return answer ?? { kind: "unreachable", reason: "stopped" };
      },
    },
    take: async (_, id) => {
      await take(id);
      taken.push(id);
    },
    onTrouble: (what, error) => troubles.push(`${what}: ${error}`),
    pace,
  });
  onTestFinished(() => poll.stop());
  poll.start();
  const played = (requests: number) =>
    eventually(
      () => offsets.length,
      (count) => count === requests,
    );
  return { poll, offsets, troubles, taken, played };
}

it("confirms what was taken with the next request, and asks without a number when all is confirmed", async () => {
  const { offsets, taken, played } = polling([ok(7, 8), ok(9), ok(), ok(3), ok()]);
  await played(6);
  expect(taken).toEqual([7, 8, 9, 3]);
  expect(offsets).toEqual([undefined, 9, 10, undefined, 4, undefined]);
});

it("does not confirm what could not be kept, nor anything after it", async () => {
  let isFull = true;
  const { offsets, taken, troubles, played } = polling([ok(1, 2, 3), ok(2, 3), ok()], async (id) => {
    if (id === 2 && isFull) {
      isFull = false;
      throw new Error("ENOSPC");
    }
  });
  await played(4);
  expect(taken).toEqual([1, 2, 3]);
  expect(offsets).toEqual([undefined, 2, 4, undefined]);
  expect(troubles).toEqual([expect.stringContaining("ENOSPC")]);
});

it("goes on after the network was away, with what it had to confirm", async () => {
  const away: ApiAnswer = { kind: "unreachable", reason: "it is away" };
  const { poll, offsets, troubles, played } = polling([ok(5), away, away, away, refused(502, "bad gateway")]);
  await played(6);
  expect(offsets).toEqual([undefined, 6, 6, 6, 6, 6]);
  expect(poll.fault).toBe("no messages are received: bad gateway");
  expect(troubles).toEqual(["Telegram: no messages are received: it is away"]);
});

it("says once that another program takes the messages, and no more when that is over", async () => {
  const conflict = refused(409, "Conflict: terminated");
  const { poll, troubles, played } = polling([conflict, conflict, conflict]);
  await played(4);
  expect(poll.fault).toContain("another program receives this bot's messages (Conflict: terminated)");
  expect(troubles).toHaveLength(1);
  const over = polling([conflict, ok()]);
  await over.played(3);
  expect(over.poll.fault).toBeUndefined();
});

it("does not run in circles over what can never be confirmed", async () => {
  const junk: ApiAnswer = { kind: "ok", result: [{}, null, { update_id: "x" }] };
  const { poll, played } = polling([junk, junk, junk]);
  await played(4);
  expect(poll.fault).toContain("repeatedly sends the same updates");
});

it("stops at once, though a request is held", async () => {
  const { poll, played } = polling([]);
  await played(1);
  await poll.stop();
});

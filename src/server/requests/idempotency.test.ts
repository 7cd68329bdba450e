import { expect, test } from "vitest";
import type { Outcome } from "./answers.ts";
import { AnsweredRequests } from "./idempotency.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const asked = { key: "k", fingerprint: "f" };
const outcome = (body: string): Outcome => ({ status: 201, body, etag: undefined });
const nothingEarlier = async () => undefined;
const never = () => Promise.reject(new Error("must not be done again"));

function desk(limits?: { entries: number; bytes: number }) {
  const time = { now: 0 };
  const answered = new AnsweredRequests(() => new Date(time.now), limits);
  return { answered, time };
}

test("a repeated request gets the first answer and does nothing", async () => {
  const { answered } = desk();
  const first = await answered.perform(asked, nothingEarlier, async () => outcome("one"));
  expect(first).toEqual({ outcome: outcome("one"), replayed: false });
  expect(await answered.perform(asked, never, never)).toEqual({ outcome: outcome("one"), replayed: true });
});

test("a second request waits for the first and shares its answer", async () => {
  const { answered } = desk();
  const gate = Promise.withResolvers<Outcome>();
  const first = answered.perform(asked, nothingEarlier, () => gate.promise);
  const second = answered.perform(asked, never, never);
  gate.resolve(outcome("one"));
  expect((await first).replayed).toBe(false);
  expect(await second).toEqual({ outcome: outcome("one"), replayed: true });
});

test("a key used for something else is refused, also while the first is under way", async () => {
  const { answered } = desk();
  const gate = Promise.withResolvers<Outcome>();
  const first = answered.perform(asked, nothingEarlier, () => gate.promise);
  const other = { key: "k", fingerprint: "other" };
  await expect(answered.perform(other, never, never)).rejects.toMatchObject({ code: "idempotency_mismatch" });
  gate.resolve(outcome("one"));
  await first;
  await expect(answered.perform(other, never, never)).rejects.toMatchObject({ code: "idempotency_mismatch" });
});

test("a failure is shared with who waits for it and can then be retried", async () => {
  const { answered } = desk();
  const first = answered.perform(asked, nothingEarlier, () => Promise.reject(new Error("full")));
  const second = answered.perform(asked, never, never);
  await expect(first).rejects.toThrow("full");
  await expect(second).rejects.toThrow("full");
  expect((await answered.perform(asked, nothingEarlier, async () => outcome("two"))).outcome.body).toBe("two");
});

test("what the workspace remembers is answered, not done again", async () => {
  const { answered } = desk();
  expect(await answered.perform(asked, async () => outcome("earlier"), never)).toEqual({
    outcome: outcome("earlier"),
    replayed: true,
  });
});

test("after a day an answer is forgotten", async () => {
  const { answered, time } = desk();
  await answered.perform(asked, nothingEarlier, async () => outcome("one"));
  time.now = DAY_MS;
  expect((await answered.perform(asked, never, never)).replayed).toBe(true);
  time.now = DAY_MS + 1;
  expect((await answered.perform(asked, nothingEarlier, async () => outcome("two"))).replayed).toBe(false);
});

test.each([
  { entries: 2, bytes: 1_000 },
  { entries: 100, bytes: 6 },
])("no more is kept than %j; the oldest go first", async (limits) => {
  const { answered } = desk(limits);
  for (const key of ["a", "b", "c"]) {
    await answered.perform({ key, fingerprint: "f" }, nothingEarlier, async () => outcome("abc"));
  }
  const again = (key: string) =>
    answered.perform({ key, fingerprint: "f" }, nothingEarlier, async () => outcome("abc"));
  expect((await again("c")).replayed).toBe(true);
  expect((await again("b")).replayed).toBe(true);
  expect((await again("a")).replayed).toBe(false);
});

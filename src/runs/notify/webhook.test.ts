import { describe, expect, it } from "vitest";
import { isSigned, type Reply, startReceiver } from "../../../test/harness/webhook-receiver.ts";
import { type Notification, Webhook } from "./webhook.ts";

const NOTE: Notification = {
  event: "run.ended",
  run: "run-1",
  task: "TASK-001",
  project: "shop",
  summary: "Grüße 🎉",
  saidBy: "agent",
  status: "completed",
  at: "2026-01-01T00:00:00.000Z",
};
const NOW = new Date();
const never = new AbortController().signal;

async function answered(reply: Reply, options: { timeoutMs?: number } = {}) {
  const receiver = await startReceiver();
  receiver.play(() => reply);
  const webhook = new Webhook({ url: receiver.url, secret: "s", clock: () => NOW, ...options });
  return { attempt: await webhook.post("key-1", NOTE, never), receiver };
}

describe("an attempt", () => {
  it("signs the bytes that are sent, and the time", async () => {
    const { attempt, receiver } = await answered({ status: 201 });
    expect(attempt).toEqual({ kind: "done", status: 201 });
    const [request] = receiver.received;
    expect(request?.body).toEqual(NOTE);
    expect(request && isSigned(request, "s")).toBe(true);
    expect(request && isSigned({ ...request, text: `${request.text} ` }, "s")).toBe(false);
  });

  it.each([500, 502, 503, 504, 429])("answered with %d is to be made again", async (status) => {
    expect((await answered({ status })).attempt).toEqual({ kind: "retry", reason: `it answered ${status}` });
  });

  it.each([400, 401, 404, 410, 422, 301, 308])("answered with %d is not", async (status) => {
    const { attempt, receiver } = await answered({ status, headers: { location: "/elsewhere" } });
    expect(attempt.kind).toBe("drop");
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ["7", 7_000],
    [new Date(NOW.getTime() + 20_000).toUTCString(), 20_000],
    ["999999999", 3_600_000],
    ["soon", undefined],
  ])("is made again after the time asked for, within reason: %s", async (asked, pauseMs) => {
    const { attempt } = await answered({ status: 503, headers: { "retry-after": asked } });
    const pause = attempt.kind === "retry" ? attempt.pauseMs : -1;
    if (pauseMs === undefined) expect(pause).toBeUndefined();
    // A date has no milliseconds.
    else expect(Math.abs((pause ?? -1) - pauseMs)).toBeLessThan(1_000);
  });

  it("does not wait for ever, and tells nothing of the address", async () => {
    const { attempt } = await answered("hang", { timeoutMs: 100 });
    expect(attempt).toEqual({ kind: "retry", reason: "it could not be reached (no answer within 0.1 seconds)" });
    const away = await startReceiver();
    await away.close();
    const webhook = new Webhook({ url: away.url, clock: () => new Date() });
    expect(await webhook.post("key", NOTE, never)).toEqual({
      kind: "retry",
      reason: "it could not be reached (ECONNREFUSED)",
    });
    expect(webhook.origin).toBe(`http://127.0.0.1:${away.port}`);
  });

  it("to a port that web requests may not go to is not made again", async () => {
    const webhook = new Webhook({ url: "http://127.0.0.1:6000/x", clock: () => new Date() });
    expect(await webhook.post("key", NOTE, never)).toEqual({
      kind: "drop",
      reason: "its port is blocked",
    });
  });
});

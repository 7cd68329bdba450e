import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../test/harness/cpu-time.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";
import { asModelFailure, refusedSetting } from "./failures.ts";

const now = () => Date.parse("2026-01-01T00:00:00Z");

/** As the provider packages throw it. */
function apiError(
  status: number | undefined,
  message: string,
  more: { body?: string; headers?: Record<string, string> } = {},
) {
  return Object.assign(new Error(message), {
    statusCode: status,
    responseBody: more.body,
    responseHeaders: more.headers,
  });
}

describe("a provider's failure", () => {
  it("that only asks for patience is told from a quota that is used up", () => {
    const perMinute =
      '{"error":{"code":429,"message":"You exceeded your current quota","details":[{"retryDelay": "34s"}]}}';
    const google = asModelFailure(apiError(429, "You exceeded your current quota", { body: perMinute }), now);
    expect(google).toMatchObject({ kind: "busy", retryAfterMs: 34_000 });
    const said = "Rate limit reached for gpt-5 on tokens per min. Please try again in 350ms.";
    expect(asModelFailure(apiError(429, said), now)).toMatchObject({ kind: "busy", retryAfterMs: 350 });
    const spent = '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}';
    expect(asModelFailure(apiError(429, "You exceeded your current quota", { body: spent }), now).kind).toBe("quota");
  });

  it.each([
    ["12", 12_000],
    ["0.5", 500],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
  ])("with retry-after %s is waited for %s ms", (given, wanted) => {
    const failure = asModelFailure(apiError(503, "busy", { headers: { "retry-after": given } }), now);
    expect(failure).toMatchObject({ kind: "busy", retryAfterMs: wanted });
  });

  it("in the middle of a stream is what its status says, or else a broken stream", () => {
    const overloaded = { type: "overloaded_error", message: "Overloaded", statusCode: 529, data: {} };
    expect(asModelFailure(overloaded, now)).toMatchObject({
      kind: "busy",
      message: "The provider answered 529: Overloaded.",
    });
    expect(asModelFailure({ message: "hm" }, now).kind).toBe("broken");
    expect(asModelFailure("hm", now).kind).toBe("broken");
  });

  it("of our own comes back as itself, however it was wrapped", () => {
    const own = new ModelFailure("timeout", "The provider sent nothing for 120 s.");
    const wrapped = new Error("Failed to process", { cause: new Error("again", { cause: own }) });
    expect(asModelFailure(wrapped, now)).toBe(own);
  });

  it("is told in one line of bounded length", () => {
    const failure = asModelFailure(apiError(500, `much\n\n${"x".repeat(100_000)}`), now);
    expect(failure.message.length).toBeLessThan(400);
    expect(failure.message).not.toContain("\n");
  });

  it("with a huge body is sorted in no time", () => {
    const body = `{"error":{"message":"${"model input token count ".repeat(500_000)}"}}`;
    const computed = cpuTimer();
    asModelFailure(apiError(400, "bad", { body }), now);
    expect(computed()).toBeLessThan(2_000);
  });

  it.each([
    ["Unsupported parameter: 'temperature' is not supported with this model.", "temperature"],
    ["Unsupported value: 'reasoning.effort' does not support 'none' with this model.", "thinking"],
    ["Your organization must be verified to generate reasoning summaries.", "thinking"],
    ["Unrecognized request argument supplied: reasoning_effort", "thinking"],
    ["messages.1: Invalid `signature` in `thinking` block", undefined],
    ["temperature must be between 0 and 1", undefined],
  ])("'%s' names the setting it is about: %s", (message, wanted) => {
    expect(refusedSetting(apiError(400, message))).toBe(wanted);
    expect(refusedSetting(apiError(500, message))).toBeUndefined();
  });
});

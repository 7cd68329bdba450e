import { describe, expect, it } from "vitest";
import { plainRequest } from "../../../test/fakes/gate.ts";
import { atLeast, estimateCall, guessBroken, USUAL_OUTPUT } from "./call-estimate.ts";

const price = { input: 1, output: 10, cacheWrite: 2 };

describe("an estimate", () => {
  it("grows with every message and takes the longest answer that may come", () => {
    const request = plainRequest("own/m");
    const short = estimateCall(request, price);
    const more = { role: "user" as const, text: "x".repeat(3_000) };
    const long = estimateCall({ ...request, messages: [...request.messages, more], maxTokens: 100 }, price);
    expect(long.input).toBeGreaterThanOrEqual(short.input + 1_000);
    expect([short.output, long.output]).toEqual([USUAL_OUTPUT, 100]);
    // Input is priced as what is dearest: written to a cache.
    expect(long.usd).toBeCloseTo((long.input * 2 + 100 * 10) / 1_000_000, 9);
  });

  it("counts letters of any script for what they may take", () => {
    const of = (text: string) =>
      estimateCall({ ...plainRequest("own/m"), messages: [{ role: "user", text }] }, price).input;
    expect(of("本".repeat(300)) - of("")).toBeGreaterThanOrEqual(300);
  });

  it("has no money where the price is not known", () => {
    expect(estimateCall(plainRequest("own/m"), undefined)).toMatchObject({ usd: null });
    expect(guessBroken({ usd: null, input: 9, output: 9 }, 30, undefined)).toEqual({ usd: null, input: 9, output: 10 });
  });

  it("is never less than the last call of its kind", () => {
    const low = { usd: 1, input: 10, output: 500 };
    expect(atLeast(low, { usd: 3, input: 70, output: 5 })).toEqual({ usd: 3, input: 70, output: 500 });
    expect(atLeast(low, undefined)).toBe(low);
  });
});

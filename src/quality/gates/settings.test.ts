import { describe, expect, it } from "vitest";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { mergeGateSettings } from "./settings.ts";

const hall = (given: object = {}) => QualityGates.parse(given);

describe("gate settings", () => {
  const defaults = mergeGateSettings(hall(), undefined);

  it("judge by default, with the documented threshold and cycles [S1-QG-14 S1-QG-15 S1-QG-16 S1-QG-17]", () => {
    expect(defaults).toMatchObject({ enabled: true, passThreshold: 90, maxReviewCycles: 3, enforceTDD: true });
    expect(defaults).toMatchObject({ appliesTo: "teams", proof: "advise", rolloutSafety: false, ownership: "warn" });
  });

  it("have the documented defaults for tests and models [S1-QG-18 S1-QG-19 S1-QG-20]", () => {
    expect(defaults).toMatchObject({
      ...{ baselineAwareTests: true, knownFailingTests: [], testScope: "affected", commands: {} },
      ...{ reviewModel: "claude-opus-4-6", escalationModel: "claude-opus-4-6" },
      timeoutSeconds: { syntax: 300, tests: 1_800, suite: 3_600 },
    });
  });

  it.each([
    [0, 70],
    [69.9, 70],
    [70, 70],
    [82.5, 82.5],
    [95, 95],
    [95.1, 95],
    [100, 95],
  ])("clamp the threshold %d to %d when they are merged [S1-QG-15]", (given, threshold) => {
    expect(mergeGateSettings(hall({ passThreshold: given }), undefined).passThreshold).toBe(threshold);
    expect(mergeGateSettings(hall(), { passThreshold: given }).passThreshold).toBe(threshold);
  });

  it("take a project's own key by key, and those of commands and time limits one by one [S1-QG-21]", () => {
    const merged = mergeGateSettings(
      hall({ enforceTDD: false, commands: { tests: "make test", syntax: "make" }, timeoutSeconds: { tests: 10 } }),
      { testScope: "full", commands: { tests: "npm test" }, timeoutSeconds: { suite: 20 }, knownFailingTests: ["a"] },
    );
    expect(merged).toMatchObject({
      ...{ enforceTDD: false, testScope: "full", knownFailingTests: ["a"] },
      commands: { tests: "npm test", syntax: "make" },
      timeoutSeconds: { syntax: 300, tests: 10, suite: 20 },
    });
  });

  it("keep a default where a project has a key without a value", () => {
    const project = { testScope: undefined, commands: { tests: undefined } } as object;
    expect(mergeGateSettings(hall({ commands: { tests: "make" } }), project)).toMatchObject({
      testScope: "affected",
      commands: { tests: "make" },
    });
  });
});

import { describe, expect, it } from "vitest";
import { readSpec } from "./spec.ts";

const REQUIREMENT = { id: "REQ-001", text: "The shop must close at six.", acceptance: ["It is closed at 18:00."] };
const SPEC = { title: "Opening hours", goals: ["Fewer late orders"], requirements: [REQUIREMENT] };

const faultsOf = (value: unknown, mode: "auto" | "bugfix" = "auto") => {
  const read = readSpec(value, { mode });
  return read.ok ? [] : read.faults;
};
const withAcceptance = (...acceptance: unknown[]) => ({ ...SPEC, requirements: [{ ...REQUIREMENT, acceptance }] });

describe("a spec that a model sends", () => {
  it("[S1-ORC-05] gets ids for its criteria, and defaults for what is left out", () => {
    expect(readSpec(SPEC, { mode: "auto" })).toEqual({
      ok: true,
      value: {
        title: "Opening hours",
        goals: ["Fewer late orders"],
        nonGoals: [],
        requirements: [
          {
            id: "REQ-001",
            text: "The shop must close at six.",
            priority: "medium",
            acceptance: [{ id: "REQ-001.1", text: "It is closed at 18:00.", kind: "test" }],
          },
        ],
        risks: [],
        definitionOfDone: [],
      },
    });
  });

  it.each([
    ["a text", "It is closed.", { kind: "test" }],
    ["a look", { text: "It is closed.", check: "look" }, { kind: "look" }],
    [
      "a command beside it",
      { text: "It is closed.", check: "command", command: ["make", "test"] },
      { kind: "command", command: ["make", "test"] },
    ],
    [
      "a command in it, as a shell reads it",
      { text: "It is closed.", check: { kind: "command", command: `npm test -- --grep 'at six' "a b"` } },
      { kind: "command", command: ["npm", "test", "--", "--grep", "at six", "a b"] },
    ],
    [
      "a command alone",
      { text: "It is closed.", command: "make test" },
      { kind: "command", command: ["make", "test"] },
    ],
  ])("has a criterion with %s", (_, entry, expected) => {
    const read = readSpec(withAcceptance(entry), { mode: "auto" });
    expect(read.ok && read.value.requirements[0]?.acceptance).toEqual([
      { id: "REQ-001.1", text: "It is closed.", ...expected },
    ]);
  });

  it("is refused with all that is wrong at once, each with its path", () => {
    const broken = {
      requirements: [
        { ...REQUIREMENT, priority: "soon" },
        { ...REQUIREMENT, acceptance: [] },
        { id: "R-1", text: "", acceptance: [{ text: "It is closed.", check: "vibes" }] },
        "close at six",
      ],
    };
    expect(faultsOf(broken)).toEqual([
      "requirements.0.priority: must be one of low, medium, high, urgent",
      "requirements.1.id: REQ-001 is used twice",
      "requirements.1.acceptance: must have at least one criterion",
      "requirements.2.id: 'R-1' must look like REQ-001",
      "requirements.2.acceptance.0.check: must be test, command, look",
      "requirements.3: must be an object with id, text and acceptance",
      "title: is required",
      "requirements.2.text: must not be empty",
    ]);
  });

  it.each([
    ["text", "none", /^input: must be an object/],
    ["no requirements", { ...SPEC, requirements: [] }, /^requirements: must have at least one/],
    [
      "a pipe",
      withAcceptance({ text: "Closed.", command: "make test | tail" }),
      /acceptance\.0\.command: '\|' needs a/,
    ],
    ["an open quote", withAcceptance({ text: "Closed.", command: "make 'test" }), /the quote ' is not closed/],
    ["a check without its command", withAcceptance({ text: "Closed.", check: "command" }), /command: is required/],
    ["more than two pages", { ...SPEC, risks: Array(20).fill("x".repeat(1_300)) }, /^input: has \d+ characters/],
  ])("is refused with %s", (_, value, expected) => {
    expect(faultsOf(value).join("\n")).toMatch(expected);
  });

  it("[S1-ORC-05] of a bug fix says what happens, what should, and what stays", () => {
    expect(faultsOf(SPEC, "bugfix")).toEqual([
      "current: is required for a bug fix",
      "expected: is required for a bug fix",
      "unchanged: is required for a bug fix",
    ]);
    const fix = { current: "It is open.", expected: "It is closed.", unchanged: "Sundays." };
    expect(readSpec({ ...SPEC, ...fix }, { mode: "bugfix" })).toMatchObject({ ok: true, value: fix });
  });
});

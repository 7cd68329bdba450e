import { describe, expect, it } from "vitest";
import { trusted } from "./summary.ts";

const ids = new Set(["run-1", "esc-001", "TASK-002"]);

describe("a model's sentences", () => {
  it("stay when every record that they cite is in the briefing", () => {
    const said = "Checkout was merged [run-1]. Two answers are missing [esc-001, TASK-002]. All else is quiet.";
    expect(trusted(said, ids)).toBe(said);
  });

  it.each([
    ["a record that is not there", "Checkout was merged [run-1]. Billing failed [run-9]."],
    ["no record at all", "Everything went well."],
    ["nothing", "  "],
    ["more than three sentences", "One [run-1]. Two [run-1]. Three [run-1]. Four [run-1]."],
    ["far too much", `${"very ".repeat(400)}[run-1].`],
  ])("are dropped when they say or cite %s", (_, said) => {
    expect(trusted(said, ids)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { editPlan, newPlan, readPlan } from "./plan-text.ts";

describe("a plan", () => {
  it("says what it was made with, and counts no placeholder as a goal or a step", () => {
    expect(readPlan(newPlan("Doors", ["Open", "Close"]))).toEqual({
      ...{ title: "Doors", status: "active", goals: ["Open", "Close"], state: "Not started.", next: "" },
    });
    expect(readPlan(newPlan("Doors", [])).goals).toEqual([]);
  });

  it("is edited where asked, and keeps what a person wrote elsewhere", () => {
    const text = "# Doors\n\n## Goals\n\n- Open\n\n## Notes\n\nAsk Ada.\n";
    const edited = editPlan(text, { status: "paused", goals: ["Close"], state: "Half open." });
    expect(readPlan(edited)).toMatchObject({
      status: "paused",
      goals: expect.arrayContaining(["Close"]),
      state: "Half open.",
    });
    expect(editPlan(editPlan(text, { status: "complete" }), { status: "active" })).toContain(text);
    expect(readPlan(editPlan("---\nowner: ada\n---\n# Doors\n", { status: "complete" }))).toMatchObject({
      status: "complete",
    });
    expect(editPlan("---\nowner: ada\n---\n# Doors\n", { status: "complete" })).toContain("owner: ada");
  });

  it.each([
    [
      "prose instead of a list",
      "# Doors\n\n## Goals\n\nAll doors\nopen.\n\nAnd close.\n",
      ["All doors open.", "And close."],
    ],
    ["no headings", "Open all doors.\n", ["Open all doors."]],
    ["a list that continues", "## Goals\n\n- Open\n  wide\n- Close\n", ["Open wide", "Close"]],
    ["nothing", "", []],
    ["a frontmatter that can't be read", "---\nstatus: [\n---\n", expect.anything()],
  ])("is read with %s", (_, text, goals) => {
    expect(readPlan(text)).toMatchObject({ status: "active", goals });
  });
});

import { describe, expect, it } from "vitest";
import { teamSpec } from "../../../test/fakes/team-world.ts";
import type { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { parseRequirements } from "../../quality/spec/requirements.ts";
import { parseSpecText, renderSpec, specChanges } from "./spec-text.ts";

const full: TeamSpec = {
  title: "Password reset",
  goals: ["People get back in."],
  nonGoals: ["Two factors."],
  requirements: [
    {
      id: "REQ-001",
      text: "A link resets the password (once).",
      priority: "urgent",
      acceptance: [
        { id: "REQ-001.1", text: "The link works once (test).", kind: "test" },
        {
          id: "REQ-001.2",
          text: "Lint passes.",
          kind: "command",
          command: ["npm", "run", "a b", "`x`", '"q"', "it's"],
        },
        { id: "REQ-001.3", text: "The page is calm.", kind: "look" },
      ],
    },
    {
      id: "REQ-002",
      text: "It is logged.",
      priority: "low",
      acceptance: [{ id: "REQ-002.1", text: "A line is there.", kind: "test" }],
    },
  ],
  risks: ["Mail is slow."],
  definitionOfDone: ["All tests pass."],
  current: "Nothing.\n\n# Not a heading\n\\# nor this",
  expected: "A mail.",
  unchanged: "- Login",
};

describe("spec.md", () => {
  it("is read back as it was written", () => {
    expect(parseSpecText(renderSpec(full), full)).toEqual({ spec: full });
    expect(parseSpecText(renderSpec(full).replaceAll("\n", "\r\n"), full)).toEqual({ spec: full });
    expect(renderSpec(full)).toContain("### REQ-001 (urgent): A link resets the password (once).\n");
  });

  it("is what the gates read, too", () => {
    const [first, second] = parseRequirements(renderSpec(teamSpec()));
    expect(first).toMatchObject({
      id: "REQ-001",
      priority: "high",
      criteria: ["The link works once. (REQ-001.1, test)"],
    });
    expect(second).toBeUndefined();
  });

  it("takes what people add by hand, and passes over what it does not know", () => {
    const text = renderSpec(full)
      .replace("- The link works once (test). (REQ-001.1, test)", "- The link works once (test).")
      .replace(
        "### REQ-002 (low): It is logged.",
        "Some words.\n\n### REQ-003: New\n\n* [ ] It shines (look)\n\n### REQ-002 (low): It is logged.",
      )
      .concat("\n## Notes\n\n- Not for the hall\n");
    const read = parseSpecText(text, full);
    expect(read).toMatchObject({ spec: { requirements: [{ acceptance: [{ id: "REQ-001.1" }, {}, {}] }, {}, {}] } });
    expect("spec" in read && specChanges(full, read.spec)).toEqual(["REQ-003 added"]);
    expect("spec" in read && read.spec.requirements[1]).toEqual({
      id: "REQ-003",
      text: "New",
      priority: "medium",
      acceptance: [{ id: "REQ-003.1", text: "It shines", kind: "look" }],
    });
  });

  it("says what changes", () => {
    const [first, second] = full.requirements as [TeamSpec["requirements"][0], TeamSpec["requirements"][0]];
    const after = {
      ...full,
      goals: [],
      requirements: [
        { ...first, text: "Else." },
        { ...second, id: "REQ-009" },
      ],
    };
    expect(specChanges(full, after)).toEqual(["REQ-001 changed", "REQ-002 removed", "REQ-009 added", "Goals changed"]);
    expect(specChanges(full, full)).toEqual([]);
  });

  it("names every fault with its line", () => {
    const text = [
      "# T",
      "## Requirements",
      "- lost",
      "### REQ-1: short",
      "### REQ-001 (soon): x",
      '- a (command: `npm "x`)',
      "### REQ-001: again",
    ].join("\n");
    const read = parseSpecText(text, full);
    expect("faults" in read && read.faults.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 7]);
    expect(parseSpecText("", full)).toMatchObject({ faults: [{ line: 1 }] });
  });
});

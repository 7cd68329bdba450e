import { describe, expect, it } from "vitest";
import type { HandInOrder } from "../../contract/runs/hand-in.ts";
import { readHandIn } from "../hand-ins/hand-in.ts";
import { handInTool } from "./hand-in-tool.ts";

const use = { callId: "call-1", signal: new AbortController().signal };
const CHECK: HandInOrder = {
  kind: "check",
  criteria: [
    { id: "REQ-001.1", text: "It is closed.", kind: "look" },
    { id: "REQ-001.2", text: "It is dark.", kind: "look" },
  ],
};

describe("handing in for a team", () => {
  it.each(["spec", "report", "check"] as const)("has one tool for a %s", (kind) => {
    const order = kind === "spec" ? { kind, mode: "auto" as const } : kind === "check" ? CHECK : { kind };
    const { spec } = handInTool(order);
    expect(spec.name).toBe(`submit_${kind}`);
    expect(spec.inputSchema).toMatchObject({ type: "object" });
  });

  it("names every fault, and takes the next call", async () => {
    const tool = handInTool(CHECK);
    const wrong = {
      results: [
        { id: "REQ-001.1", met: "yes", evidence: "" },
        { id: "REQ-007.1", met: true, evidence: "x" },
      ],
    };
    expect(await tool.run(JSON.stringify(wrong), use)).toEqual({
      failed: true,
      output: [
        "Not saved. Fix all of these, then call it again:",
        "- results.0.met: must be true or false",
        "- results.1.id: unknown criterion 'REQ-007.1'",
        "- results: REQ-001.2 has no result",
        "- results.0.evidence: must not be empty",
      ].join("\n"),
    });
    const right = { results: CHECK.criteria.map(({ id }) => ({ id, met: true, evidence: "src/a.ts:3\nand more" })) };
    expect(await tool.run(JSON.stringify(right), use)).toEqual({ output: "Saved." });
    expect(readHandIn(right, CHECK)).toMatchObject({
      ok: true,
      value: { results: [{ evidence: "src/a.ts:3 and more" }, {}] },
    });
  });

  it("takes a report that is a text, and refuses what is no JSON", async () => {
    expect(readHandIn("All done.", { kind: "report" })).toEqual({
      ok: true,
      value: { kind: "report", report: { summary: "All done.", highlights: [], risks: [], followUps: [] } },
    });
    expect(await handInTool({ kind: "report" }).run("{", use)).toMatchObject({ failed: true });
  });
});

import { describe, expect, it } from "vitest";
import type { Tool } from "../tool.ts";
import { type HallPort, hallTools, Report } from "./hall-tools.ts";

const use = { callId: "call-7", signal: new AbortController().signal };

/** The tools of an agent, and what it asked of the hall with them. */
function agentTools(
  answers: Partial<HallPort> = {},
  purpose: "work" | "review" = "work",
): { tool: (name: string) => Tool; asked: unknown[] } {
  const asked: unknown[] = [];
  const hall: HallPort = {
    notify: async (note, signal) => {
      asked.push(["notify", note, signal]);
      return {};
    },
    escalate: async (asking, signal) => {
      asked.push(["escalate", asking, signal]);
      return { output: "Recorded as esc-001." };
    },
    spawn: async (request, signal) => {
      asked.push(["spawn", request, signal]);
      return { output: "The child's answer.", failed: false, files: ["a.ts"] };
    },
    hasFile: (path) => path === "out/report.md",
    ...answers,
  };
  const tools = hallTools(hall, { purpose, tiers: "Only the person decides: money." });
  const tool = (name: string) => tools.find(({ spec }) => spec.name === name) as Tool;
  return { tool, asked };
}

describe("spawn_subagent", () => {
  it("gives a task to a role under the call's own id, and answers what the child said [S3-TOOL-07]", async () => {
    const { tool, asked } = agentTools();
    const input = { role: "tester", title: "Test the login", description: "All of it" };
    expect(await tool("spawn_subagent").run(JSON.stringify(input), use)).toEqual({
      output: "The child's answer.",
      failed: false,
      files: ["a.ts"],
    });
    const helper = { role: "tester", title: "Test the login", description: "All of it" };
    expect(asked).toEqual([["spawn", { callId: "call-7", helper }, use.signal]]);
  });

  it("says that the child failed when it did", async () => {
    const { tool } = agentTools({ spawn: async () => ({ output: "There is no role 'x'.", failed: true, files: [] }) });
    const answer = await tool("spawn_subagent").run('{"role":"x","title":"T"}', use);
    expect(answer).toMatchObject({ output: "There is no role 'x'.", failed: true });
  });

  it("may run beside others of its kind, and again after a crash", () => {
    expect(agentTools().tool("spawn_subagent")).toMatchObject({ changes: false, repeatable: true });
  });

  it.each(['{"role":"x"}', '{"title":"T"}', '{"role":"x","title":""}', '{"role":"x","title":"T","model":"m"}'])(
    "starts nobody for %s",
    async (input) => {
      const { tool, asked } = agentTools();
      expect((await tool("spawn_subagent").run(input, use)).failed).toBe(true);
      expect(asked).toEqual([]);
    },
  );
});

describe("notify", () => {
  it("tells the person, under the call's own id [S3-TOOL-08]", async () => {
    const { tool, asked } = agentTools();
    expect(await tool("notify").run('{"text":"Half of it is done."}', use)).toEqual({
      output: "Notification saved.",
    });
    expect(asked).toEqual([["notify", { callId: "call-7", text: "Half of it is done." }, use.signal]]);
  });

  it("says when the person could not be told", async () => {
    const { tool } = agentTools({ notify: async () => ({ hindrance: "there were 20 already." }) });
    expect(await tool("notify").run('{"text":"More."}', use)).toEqual({
      output: "The notification failed: there were 20 already.",
      failed: true,
    });
  });

  it.each(['{"text":""}', "{}", `{"text":"${"x".repeat(2_001)}"}`])("tells nobody %#", async (input) => {
    const { tool, asked } = agentTools();
    expect((await tool("notify").run(input, use)).failed).toBe(true);
    expect(asked).toEqual([]);
  });
});

describe("report", () => {
  it("takes a result down and asks for the end of the turn", async () => {
    const { tool } = agentTools();
    const { output, failed } = await tool("report").run('{"summary":"Done."}', use);
    expect([output, failed]).toEqual(["Report saved. End your turn now.", undefined]);
  });

  it.each([
    ["{}", "summary: Invalid input"],
    ['{"summary":""}', "summary: Too small"],
    ['{"summary":"x","outcome":"great"}', "outcome: Invalid option"],
    ['{"summary":"x","artifacts":"a.md"}', "artifacts: Invalid input: expected array"],
  ])("refuses %s", async (input, why) => {
    const { output, failed } = await agentTools().tool("report").run(input, use);
    expect([failed, output]).toEqual([true, expect.stringContaining(why)]);
  });

  it("believes in no artifact that is not there", async () => {
    const { tool } = agentTools();
    const report = (...artifacts: string[]) => tool("report").run(JSON.stringify({ summary: "Done.", artifacts }), use);
    expect((await report("out/report.md")).failed).toBeUndefined();
    expect(await report("out/report.md", "nope.md")).toMatchObject({
      failed: true,
      output: expect.stringContaining("'nope.md'"),
    });
  });

  it("of a reviewer has a verdict and findings, and no outcome", async () => {
    const report = (input: object) => agentTools({}, "review").tool("report").run(JSON.stringify(input), use);
    const finding = { severity: "high", file: "a.ts", line: 3, message: "It never ends.", fix: "Count down." };
    expect(
      (await report({ summary: "Read.", verdict: "request_changes", findings: [finding] })).failed,
    ).toBeUndefined();
    expect((await report({ summary: "Read.", verdict: "approve" })).failed).toBeUndefined();
    const { fix: suggestion, ...older } = finding;
    const said = { summary: "Read.", verdict: "approve", findings: [{ ...older, suggestion }] };
    expect(Report.parse(said)).toMatchObject({ findings: [finding] });
    for (const wrong of [
      { summary: "Read." },
      { summary: "Read. Verdict: approve.", outcome: "full" },
      { summary: "Read.", verdict: "fine" },
      { summary: "Read.", verdict: "approve", findings: [{ ...finding, severity: "awful" }] },
    ])
      expect(await report(wrong)).toMatchObject({ failed: true });
  });

  it("shows models what the outcomes mean", () => {
    const { properties } = agentTools().tool("report").spec.inputSchema as { properties: Record<string, object> };
    expect(properties.outcome).toMatchObject({ enum: ["full", "partial", "escalated", "skipped"], default: "full" });
  });
});

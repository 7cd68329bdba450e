import { describe, expect, it } from "vitest";
import { plainRequest, user } from "../../../test/fakes/gate.ts";
import type { Message } from "../../contract/runs/model-call.ts";
import { rehearseResident } from "./resident-rehearsal.ts";

const MAIN = ["reply", "list_projects", "task_list"];
const PROJECT = ["read", "list", "task_list", "notify"];
const PERSON = user("[from the person, cli/default]\nHello");

function rehearsed(tools: string[], messages: Message[]) {
  const specs = tools.map((name) => ({ name, description: "", inputSchema: {} }));
  return rehearseResident({ ...plainRequest("offline/rehearsal"), tools: specs, messages });
}

function looked(name: string, output: string): Message[] {
  return [
    { role: "assistant", text: "", thinking: [], calls: [{ id: "offline-0-0", name, input: "{}" }] },
    { role: "tool", results: [{ id: "offline-0-0", name, output, failed: false }] },
  ];
}

describe("the offline model as an agent that lives on", () => {
  it("is the main agent: tells what needs the person and which projects there are, and what it is", () => {
    const tools = [...MAIN, "needs_attention"];
    expect(rehearsed(tools, [PERSON])?.calls).toEqual([
      { tool: "needs_attention", input: {} },
      { tool: "list_projects", input: {} },
    ]);
    const answer = rehearsed(tools, [
      PERSON,
      ...looked("needs_attention", "Needs you (1):\n- shop: Fix it: Failed."),
      ...looked("list_projects", "shop: active\nweb: active"),
    ]);
    expect(answer?.text).toMatch(/^Needs you \(1\):\n- shop: Fix it: Failed\./);
    expect(answer?.calls).toEqual([]);
    for (const said of ["offline model", "main agent", "- shop: active\n- web: active", "/projects", "add an API key"])
      expect(answer?.text).toContain(said);
  });

  it("is a project's agent: looks at the board once and tells it", () => {
    const asked = user("[from the main agent]\nHow are you?");
    expect(rehearsed(PROJECT, [asked])?.calls).toEqual([{ tool: "task_list", input: {} }]);
    const answer = rehearsed(PROJECT, [asked, ...looked("task_list", "TASK-001 pending: Fix it")]);
    expect(answer?.calls).toEqual([]);
    for (const said of ["offline model", "this project's agent", "- TASK-001 pending: Fix it"])
      expect(answer?.text).toContain(said);
  });

  it("looks again for every question, and not for those before it", () => {
    const before: Message[] = [PERSON, ...looked("list_projects", "shop: active")];
    const answered: Message = { role: "assistant", text: "There.", thinking: [], calls: [] };
    expect(rehearsed(MAIN, [...before, answered, PERSON])?.calls).toHaveLength(1);
  });

  it.each(["[from project shop]\nDone.", "[from Guildhall]\nThe run run-1 has ended."])(
    "takes note of a report and ends its turn: %j",
    (text) => {
      for (const tools of [MAIN, PROJECT]) {
        const answer = rehearsed(tools, [PERSON, user(text)]);
        expect(answer?.calls).toEqual([]);
        expect(answer?.text).toMatch(/^Noted\..*offline model/);
      }
    },
  );

  it("shows of a long list only the first ones, and says so", () => {
    const lines = Array.from({ length: 25 }, (_, at) => `p${at}: active`).join("\n");
    const { text = "" } = rehearsed(MAIN, [PERSON, ...looked("list_projects", lines)]) ?? {};
    expect(text).toContain("- p19: active\n- and 5 more");
    expect(text).not.toContain("p20");
  });

  it("leaves a run to what is written for runs", () => {
    expect(rehearsed(["list", "read", "report"], [user("Do it")])).toBeUndefined();
    expect(rehearsed(["list", "read", "report", "notify"], [user("Do it")])).toBeUndefined();
  });
});

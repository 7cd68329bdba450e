import { describe, expect, it } from "vitest";
import type { Statement } from "../../contract/documents/knowledge.ts";
import type { Tool } from "../tool.ts";
import { hallKnowledgeTools, type KnowledgePort, projectKnowledgeTools } from "./knowledge-tools.ts";

const use = { callId: "call-7", signal: new AbortController().signal };
const statement: Statement = {
  id: "patterns-0123456789",
  projectId: "shop",
  topic: "patterns",
  text: "Use pnpm.",
  date: "2026-11-15",
  status: "accepted",
  origins: ["TASK-012"],
  file: "projects/shop/knowledge/patterns.md",
  line: 5,
  etag: "e",
};

/** An agent's tools, and what it asked for with them. */
function agentTools(whose: "project" | "hall", answers: Partial<KnowledgePort> = {}) {
  const asked: unknown[] = [];
  const port: Required<KnowledgePort> = {
    add: async (...words) => {
      asked.push(words);
      return { statement, merged: false };
    },
    search: async (...words) => {
      asked.push(words);
      return {
        statements: [statement, { ...statement, projectId: undefined, date: undefined, origins: [] }],
        total: 5,
      };
    },
    promote: async (...words) => {
      asked.push(words);
      return statement;
    },
    ...answers,
  };
  const tools = whose === "project" ? projectKnowledgeTools(port) : hallKnowledgeTools(port);
  const run = (name: string, input: object) =>
    (tools.find(({ spec }) => spec.name === name) as Tool).run(JSON.stringify(input), use);
  return { tools, run, asked };
}

describe("the tools over knowledge", () => {
  it("of a project's agents add and search; only the main agent's name a project, and promote", () => {
    const namesOf = (tools: Tool[]) => tools.map(({ spec }) => spec.name);
    expect(namesOf(agentTools("project").tools)).toEqual(["knowledge_add", "knowledge_search"]);
    expect(namesOf(agentTools("hall").tools)).toEqual(["knowledge_add", "knowledge_search", "knowledge_promote"]);
    const fieldsOf = ({ spec }: Tool) => Object.keys(spec.inputSchema.properties as object);
    expect(agentTools("project").tools.flatMap(fieldsOf)).not.toContain("project");
  });

  it("add under the call's own id, so that they may be carried out again", async () => {
    const { tools, run, asked } = agentTools("project");
    expect(tools.every(({ repeatable }) => repeatable)).toBe(true);
    expect(await run("knowledge_add", { text: " Use pnpm. ", topic: "patterns" })).toEqual({
      output: "Added patterns-0123456789 to projects/shop/knowledge/patterns.md.",
    });
    expect(asked).toEqual([["call-7", { text: "Use pnpm.", topic: "patterns" }, use.signal]]);
    const known = agentTools("project", { add: async () => ({ statement, merged: true }) });
    expect((await known.run("knowledge_add", { text: "x" })).output).toMatch(/^Already saved/);
  });

  it("show what was found, whose it is, and how much more there is", async () => {
    const { run, asked } = agentTools("hall");
    expect(await run("knowledge_search", { query: "pnpm", project: "shop", limit: 2 })).toEqual({
      output:
        "patterns-0123456789: Use pnpm. (shop, 2026-11-15, TASK-012)\npatterns-0123456789: Use pnpm. (all projects)\n(3 more match)",
    });
    expect(asked).toEqual([[{ query: "pnpm", project: "shop", limit: 2 }, use.signal]]);
    const none = agentTools("hall", { search: async () => ({ statements: [], total: 0 }) });
    expect(await none.run("knowledge_search", { query: "x" })).toEqual({ output: "No results." });
  });

  it("promote by id", async () => {
    const { run, asked } = agentTools("hall");
    const promotion = { project: "shop", id: "patterns-0123456789", topic: "decisions" };
    expect((await run("knowledge_promote", promotion)).output).toMatch(/applies to all projects\.$/);
    expect(asked).toEqual([["call-7", promotion, use.signal]]);
  });

  it("say why not", async () => {
    const refusal = async () => "there is no project 'x'.";
    const { run } = agentTools("hall", { add: refusal, search: refusal, promote: refusal });
    const outputs = await Promise.all([
      run("knowledge_add", { text: "x" }),
      run("knowledge_search", { query: "x" }),
      run("knowledge_promote", { project: "x", id: "patterns-0123456789" }),
    ]);
    expect(outputs).toEqual(
      ["added", "searched", "promoted"].map((done) => ({
        output: `Not ${done}: there is no project 'x'.`,
        failed: true,
      })),
    );
  });

  it.each([
    ["knowledge_add", { text: "one\n# two" }],
    ["knowledge_add", { text: "x".repeat(501) }],
    ["knowledge_add", { text: "Use p\u200bnpm" }],
    ["knowledge_add", { text: "x", topic: "preferences" }],
    ["knowledge_add", { text: "x", project: "blog" }],
    ["knowledge_search", { query: "" }],
    ["knowledge_search", { query: "x", project: "blog" }],
  ])("ask nobody for %s %j", async (name, input) => {
    const { run, asked } = agentTools("project");
    expect((await run(name, input)).failed).toBe(true);
    expect(asked).toEqual([]);
  });
});

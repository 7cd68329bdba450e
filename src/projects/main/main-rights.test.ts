import { expect, it } from "vitest";
import type { Tool } from "../../agent/tool.ts";
import type { Caller } from "../../workspace/rights.ts";
import { mentions, says } from "../named-projects.ts";
import { underRights } from "./main-rights.ts";

const NONE = new Set<string>();
const forPerson: Caller = { kind: "mainForPerson", named: new Set(["shop"]), made: NONE, only: undefined };
const forShop: Caller = { kind: "mainForProject", project: "shop" };

/** What a tool is called with, or why it is not. */
async function called(name: string, input: object, { caller = forPerson, said = "" } = {}): Promise<unknown> {
  const tool: Tool = {
    spec: { name, description: "", inputSchema: {} },
    changes: true,
    run: async (output) => ({ output }),
  };
  const [guarded] = underRights([tool], {
    caller: () => caller,
    isSaid: (text) => says(said, text),
    isMentioned: (id) => mentions(said, id),
    isConfirmed: () => said === "yes",
  });
  const use = { callId: "c", signal: new AbortController().signal };
  const outcome = await guarded?.run(JSON.stringify(input), use);
  return outcome?.failed === true ? "refused" : JSON.parse(outcome?.output ?? "");
}

it("what holds for all projects is in the person's message: the statement, or the id of the one to promote", async () => {
  const id = "patterns-0123456789";
  expect(await called("knowledge_promote", { id }, { said: `Promote ${id}, please` })).toEqual({ id });
  expect(await called("knowledge_promote", { id }, { said: "Promote it" })).toBe("refused");
  expect(await called("knowledge_promote", { id }, { said: id, caller: forShop })).toBe("refused");
  const text = "Prices are in euros";
  expect(await called("knowledge_add", { text }, { said: `Note: ${text}.` })).toEqual({ text });
  expect(await called("knowledge_add", { text }, { said: "Note the prices" })).toBe("refused");
  expect(await called("knowledge_add", {}, { said: "Note it" })).toBe("refused");
});

it("a path is of the project that it names, however it is written, and one of all projects is of none", async () => {
  for (const path of ["projects/shop/a.md", "./projects//shop/a.md"])
    expect(await called("read", { path })).toEqual({ path });
  for (const path of ["projects/mill/a.md", "./projects//mill", "projects", ".", "projects/shop-2/a.md"])
    expect([path, await called("read", { path })]).toEqual([path, "refused"]);
  expect(await called("list", {})).toBe("refused");
  for (const path of ["facts/project.mill.md", "memory/facts/project.mill.md", "./memory/facts/project.mill.md"])
    expect([path, await called("memory_read", { path }, { caller: forShop })]).toEqual([path, "refused"]);
});

it("a tool without an action is not offered", () => {
  const tool: Tool = {
    spec: { name: "new", description: "", inputSchema: {} },
    changes: false,
    run: async () => ({ output: "" }),
  };
  expect(() =>
    underRights([tool], {
      caller: () => forPerson,
      isSaid: () => true,
      isMentioned: () => true,
      isConfirmed: () => true,
    }),
  ).toThrow("No rights are defined");
});

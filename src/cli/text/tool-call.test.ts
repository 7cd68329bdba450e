import { describe, expect, it } from "vitest";
import { activityText, callText } from "./tool-call.ts";

describe("a call in a few words", () => {
  it.each([
    ["read", '{"path":"src/login.ts","offset":10}', "read src/login.ts"],
    ["search", '{"path":"src","pattern":"log.in"}', "search log.in src"],
    ["write", '{"path":"a.md","content":"{\\"path\\":\\"evil\\"}"}', "write a.md"],
    ["spawn_subagent", '{"role":"tester","title":"Try it"}', "spawn_subagent tester Try it"],
    ["report", '{"summary":"One\\n\\ntwo","outcome":"full"}', "report full"],
    ["notify", '{"text":"One\\n\\ntwo"}', "notify One two"],
    ["exec", '{"command":"npm test\\nnpm run check","timeoutSeconds":5}', "exec npm test npm run check"],
    ["use_skill", '{"file":"a.md","name":"deploy"}', "use_skill deploy a.md"],
    ["list", "{}", "list"],
    ["odd", '{"depth":3}', 'odd {"depth":3}'],
    ["read", '{"path": broken', 'read {"path": broken'],
  ])("tells of %s %s", (name, input, text) => {
    expect(callText(name, input)).toBe(text);
  });

  it("is one harmless line, and not a long one", () => {
    const text = callText("notify", JSON.stringify({ text: `\u001b[2J${"x".repeat(5_000)}` }));
    expect(text).toMatch(/^notify ␛\[2Jx+…$/);
    expect(text.length).toBeLessThan(250);
  });
});

describe("what an agent does", () => {
  it("is one harmless line", () => {
    expect(activityText({ kind: "tool", name: "exec", subject: "echo \u001b[31mup" })).toBe("running echo ␛[31mup");
    expect(activityText(undefined)).toBe("");
  });
});

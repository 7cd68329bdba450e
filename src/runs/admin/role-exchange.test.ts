import { expect, it } from "vitest";
import { parseAgentFile } from "../../workspace/roles/agent-file.ts";
import { substitute } from "../plan/prompt.ts";

it("the prompt of an imported role comes out as it stood in its file, whatever is in it", () => {
  const body = "Use {{projectName}}, {{task}}{{task}}, {{ x }}, {{braces}}, {{{task}}} and $& $1.";
  const outcome = parseAgentFile(`---\nname: a\ndescription: x\n---\n${body}\n`);
  const template = outcome.ok ? (outcome.file.role.systemPromptTemplate ?? "") : "";
  const values = new Map(Object.entries({ projectName: "P", task: "T", braces: "{{" }));
  expect(template).not.toBe(body);
  expect(substitute(template, values)).toBe(body);
});

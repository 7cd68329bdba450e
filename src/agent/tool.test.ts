import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "./tool.ts";

const use = { callId: "call-1", signal: new AbortController().signal };

const greet = defineTool({
  name: "greet",
  description: "Say hello.",
  input: z.strictObject({ name: z.string().describe("Whom."), times: z.int().min(1).max(9).default(1) }),
  changes: false,
  run: ({ name, times }, { callId }) => ({ output: `${"Hello ".repeat(times)}${name}, ${callId}` }),
});

describe("a tool", () => {
  it("is shown to models as plain JSON Schema, with nothing that says nothing", () => {
    expect(greet.spec).toEqual({
      name: "greet",
      description: "Say hello.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "Whom." },
          times: { type: "integer", minimum: 1, maximum: 9, default: 1 },
        },
        required: ["name"],
        additionalProperties: false,
      },
    });
    const endless = defineTool({ ...asDefined, input: z.strictObject({ offset: z.int().min(1) }) });
    expect(endless.spec.inputSchema).toMatchObject({ properties: { offset: { type: "integer", minimum: 1 } } });
    expect(JSON.stringify(endless.spec)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it("gets its input checked and completed", async () => {
    expect(await greet.run('{"name":"you"}', use)).toEqual({ output: "Hello you, call-1" });
    expect(await greet.run('{"name":"you","times":2}', use)).toEqual({ output: "Hello Hello you, call-1" });
  });

  it.each([
    ["", "name: Invalid input: expected string, received undefined."],
    ["{}", "name: Invalid input: expected string, received undefined."],
    ['{"name":', "it is not JSON. Send one JSON object."],
    ["<name>you</name>", "it is not JSON. Send one JSON object."],
    ["null", "input: Invalid input: expected object, received null."],
    ["[]", "input: Invalid input: expected object, received array."],
    ['"you"', "input: Invalid input: expected object, received string."],
    ['{"name":7,"times":0}', "name: Invalid input: expected string, received number; times: Too small"],
    ['{"name":"you","Times":2}', 'input: Unrecognized key: "Times".'],
    ['{"name":"you","__proto__":{"times":2}}', "input: Unrecognized key"],
  ])("is not run with %s, and says why", async (text, why) => {
    const { output, failed } = await greet.run(text, use);
    expect(failed).toBe(true);
    expect(output).toContain(`The input of greet is not valid: ${why}`);
  });

  it("says whether it changes anything and whether it may be repeated", () => {
    expect(greet.changes).toBe(false);
    expect("repeatable" in greet).toBe(false);
    expect(defineTool({ ...asDefined, changes: true, repeatable: true })).toMatchObject({
      changes: true,
      repeatable: true,
    });
  });
});

const asDefined = {
  name: "other",
  description: "Something else.",
  input: z.strictObject({}),
  changes: false,
  run: () => ({ output: "" }),
};

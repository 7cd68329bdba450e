import { expect, it } from "vitest";
import { gatesIn } from "./repository-settings.ts";

const read = (text: string) => gatesIn(Buffer.from(text), ".guildhall.yml");

it("takes how changes are checked from the file, and nothing else", () => {
  expect(read("qualityGates:\n  commands: { affected: 'make {files}' }\n  timeoutSeconds: { tests: 60 }\n")).toEqual({
    commands: { affected: "make {files}" },
    timeoutSeconds: { tests: 60 },
  });
  expect([read(""), read("{}\n")]).toEqual([undefined, undefined]);
});

it.each([
  ["a key that is the person's to set", "qualityGates: { appliesTo: off }\n", /appliesTo/],
  ["gates that are turned off", "qualityGates: { enabled: false }\n", /enabled/],
  ["another section", "hooks: []\n", /hooks/],
  ["a value of another type", "qualityGates: { proof: maybe }\n", /proof/],
  ["a list", "- 1\n", /./],
  ["YAML that is broken", "qualityGates: {\n", /line \d+ is not valid YAML/],
  ["a key twice", "qualityGates: {}\nqualityGates: {}\n", /line 2/],
  ["a large file", `# ${"x".repeat(70_000)}\n`, /64 kB/],
])("refuses %s", (_, text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

import { expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { BranchCriteria } from "./branch-criteria.ts";

const testOf = (name: string) => `import test from "node:test";\ntest("${name}", () => undefined);\n`;
const BASE = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  // Of a team before.
  "old.test.js": testOf("REQ-001: the cart adds up"),
};

const TEST = { kind: "test" } as const;

/** Whether a criterion of REQ-001 is met where a team changed these files. */
async function isMet(
  files: Record<string, string>,
  criterion: { kind: "test" } | { kind: "command"; command: string[] },
) {
  const { person, trees, checks } = checkedRepository(BASE);
  person.git("checkout", "--quiet", "-b", "team");
  for (const [path, text] of Object.entries(files)) person.write(path, text);
  person.git("add", "--all");
  person.git("commit", "--quiet", "-m", "Work");
  const ground = { trees, checks, close: async () => undefined };
  const criteria = new BranchCriteria({
    settingsOf: () => QualityGates.parse({}),
    groundOf: async () => ground as never,
  });
  const [result] = await criteria.check({
    ...{ projectId: "shop", branch: "team", target: "main", signal: new AbortController().signal },
    criteria: [{ id: "REQ-001.1", requirement: "REQ-001", ...criterion }],
  });
  return result;
}

it("counts a test of the team that names the requirement, and none of a team before", { timeout: 60_000 }, async () => {
  const evidence = "No passing test that the team added or changed names REQ-001.";
  expect(await isMet({ "notes.md": "Nothing.\n" }, TEST)).toMatchObject({ met: false, evidence });
  expect(await isMet({ "cart.js": "// REQ-001\n" }, TEST)).toMatchObject({ met: false });
  expect(await isMet({ "new.test.js": testOf("REQ-001: a link works once") }, TEST)).toMatchObject({
    met: true,
    evidence: expect.stringContaining("a link works once"),
  });
  const failing = 'import test from "node:test";\ntest("REQ-001: no", () => { throw new Error("no"); });\n';
  expect(await isMet({ "new.test.js": failing }, TEST)).toMatchObject({ met: false });
});

it("runs a command on the branch as it is, also where it names files that the branch changed or added", {
  timeout: 60_000,
}, async () => {
  const command = (...words: string[]) => ({ kind: "command" as const, command: words });
  const files = {
    "old.test.js": testOf("the cart is cleared"),
    "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test", hello: "node hello.js" } }),
    "hello.js": "",
  };
  expect(await isMet(files, command("grep", "-q", "cleared", "old.test.js"))).toMatchObject({ met: true });
  expect(await isMet(files, command("node", "hello.js"))).toMatchObject({ met: true });
  expect(await isMet(files, command("npm", "run", "hello"))).toMatchObject({ met: true });
  expect(await isMet(files, command("grep", "-q", "adds up", "old.test.js"))).toMatchObject({ met: false });
});

import { expect, it } from "vitest";
import { unitsFor } from "./unit-files.ts";

const UNITS = ["src/quality/gates/a.test.ts", "src/quality/proof/b.test.ts", "src/runs/c.test.ts", "scripts/d.test.ts"];

it.each([
  ["a test itself", ["src/quality/proof/b.test.ts"], ["src/quality/proof/b.test.ts"]],
  ["a file of a room", ["src/quality/gates/scoring.ts"], ["src/quality/gates/a.test.ts"]],
  ["a room without tests", ["src/quality/spec/x.ts"], ["src/quality/gates/a.test.ts", "src/quality/proof/b.test.ts"]],
  ["a script", ["scripts/x.ts"], ["scripts/d.test.ts"]],
  ["files that no unit is beside", ["docs/guide.md", "src/daemon.ts", "test/flows/x.test.ts"], []],
  ["two floors", ["src/runs/x.ts", "scripts/x.ts"], ["scripts/d.test.ts", "src/runs/c.test.ts"]],
])("chooses for %s", (_, changed, wanted) => {
  expect(unitsFor(changed, UNITS)).toEqual(wanted);
});

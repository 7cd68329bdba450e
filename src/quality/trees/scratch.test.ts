import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { temporaryGatesFolder } from "./scratch.ts";

it("removes folders of processes that are gone, and no others", async () => {
  const parent = temporaryFolder();
  const id = "00000000-0000-4000-8000-000000000000";
  const names = [`guildhall-check-4194305-${id}`, `guildhall-check-${process.pid}-${id}`, "guildhall-check-mine"];
  for (const name of names) mkdirSync(join(parent, name));
  const made = await temporaryGatesFolder(parent);
  expect(existsSync(made)).toBe(true);
  expect(names.map((name) => existsSync(join(parent, name)))).toEqual([false, true, true]);
});

it("leaves the folder alone that it is itself run in, whoever made it", async () => {
  const parent = temporaryFolder();
  const around = join(parent, "guildhall-check-4194305-00000000-0000-4000-8000-000000000000");
  mkdirSync(join(around, "trees/x"), { recursive: true });
  await temporaryGatesFolder(parent, join(around, "trees/x"));
  expect(existsSync(around)).toBe(true);
  await temporaryGatesFolder(parent, parent);
  expect(existsSync(around)).toBe(false);
});

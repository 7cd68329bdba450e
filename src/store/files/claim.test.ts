import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { claimFile } from "./claim.ts";
import { Files } from "./files.ts";

function folder() {
  const root = temporaryFolder();
  return { root, at: (name: string) => join(root, name) };
}

it("lets one after the other at a file, in the order in which it is let go", async () => {
  const { root, at } = folder();
  const first = await claimFile(at, "a.md");
  let isIn = false;
  const second = claimFile(at, "a.md").then((release) => {
    isIn = true;
    return release;
  });
  (await claimFile(at, "b.md"))();
  expect(isIn).toBe(false);
  first();
  (await second)();
  expect(readdirSync(root)).toEqual([]);
});

it("does not wait for a claim whose owner died with it", async () => {
  const { root, at } = folder();
  await claimFile(at, "a.md");
  const [left = ""] = readdirSync(root);
  const long = new Date(Date.now() - 60_000);
  utimesSync(at(left), long, long);
  (await claimFile(at, "a.md"))();
  expect(readdirSync(root)).toEqual([]);
});

it("is not seen in lists, and is swept away with what interrupted writes left", async () => {
  const { root, at } = folder();
  writeFileSync(at("a.md"), "a");
  await claimFile(at, "a.md");
  const files = new Files(root);
  expect([...files.entries(".")].map(({ name }) => name)).toEqual(["a.md"]);
  for (const _ of files.sweep(".", "here", {}));
  expect(readdirSync(root)).toEqual(["a.md"]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextPiece } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { Files } from "./files/files.ts";
import { Momentary } from "./momentary.ts";

function watched() {
  const root = mkdtempSync(join(tmpdir(), "guildhall-momentary-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = new Files(root);
  let looks = 0;
  const size = new Momentary(() => {
    looks++;
    return files.stamp("settings.yml")?.size;
  });
  return { root, files, size, looks: () => looks };
}

it("looks once for everything that happens before the program waits, also across promises", async () => {
  const { size, looks } = watched();
  expect(size.now()).toBeUndefined();
  await Promise.resolve();
  size.now();
  expect(looks()).toBe(1);
});

it("sees what a person saved as soon as something comes from outside", async () => {
  const { root, size } = watched();
  size.now();
  writeFileSync(join(root, "settings.yml"), "ab");
  await nextPiece();
  expect(size.now()).toBe(2);
});

it("sees at once what the program writes itself", async () => {
  const { files, size } = watched();
  const target = files.target("settings.yml");
  const draft = await files.draft(target, "abc");
  expect(size.now()).toBeUndefined();
  draft.place();
  expect(size.now()).toBe(3);
  draft.close();
  target.close();
});

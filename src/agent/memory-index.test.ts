import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/daemon.ts";
import { Files } from "../store/files/files.ts";
import { memoryIndex } from "./memory-index.ts";

function memory(facts: Record<string, string>, months: string[] = []) {
  const root = temporaryFolder();
  for (const folder of ["facts", "episodes"]) mkdirSync(join(root, "memory", folder), { recursive: true });
  Object.entries(facts).forEach(([name, summary], at) => {
    const path = join(root, "memory/facts", `${name}.md`);
    writeFileSync(path, `# ${name}\n\n> Summary: ${summary}\n\nMore.\n`);
    utimesSync(path, 1_000 + at, 1_000 + at);
  });
  for (const month of months) writeFileSync(join(root, "memory/episodes", `${month}.md`), "# x\n");
  return new Files(root, "private", "refused");
}

it("names each fact with its summary, newest first, and the months of episodes", () => {
  const files = memory({ shop: "Opens at nine.", door: "It sticks." }, ["2026-09", "2026-10"]);
  expect(memoryIndex(files, 500)).toBe(
    "- facts/door.md: It sticks.\n- facts/shop.md: Opens at nine.\nEpisodes (episodes/YYYY-MM.md): 2026-10, 2026-09",
  );
});

it("is empty for an empty memory, for none at all, and for one behind a link", () => {
  const linked = temporaryFolder();
  mkdirSync(join(linked, "memory"));
  symlinkSync(join(memory({ shop: "Opens at nine." }).root, "memory/facts"), join(linked, "memory/facts"));
  expect(memoryIndex(new Files(linked), 500)).toBe("");
  expect(memoryIndex(memory({}), 500)).toBe("");
  expect(memoryIndex(new Files(temporaryFolder(), "private", "refused"), 500)).toBe("");
});

it("keeps to its budget and says how much is left out", () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, `Summary ${"of ".repeat(200)}`]));
  const index = memoryIndex(memory(many, ["2026-10"]), 400);
  expect(index.length).toBeLessThanOrEqual(400 * 3.5);
  expect(index.split("\n")[0]).toMatch(/^- facts\/f99.md: Summary of .*…$/);
  const shown = index.split("\n").filter((line) => line.startsWith("- ")).length;
  expect(shown).toBeGreaterThan(2);
  expect(index).toContain(`(${100 - shown} facts are omitted; memory_list shows all)`);
  expect(index).toContain("2026-10");
});

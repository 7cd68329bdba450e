import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";

const PROJECT = "shop";

async function shop(): Promise<Hall> {
  const hall = await startHall(undefined, { config: { limits: { runs: 50, runsPerProject: 50 } } });
  await hall.call("POST", "/api/roles", { template: "coder", id: "coder" });
  await hall.call("POST", "/api/projects", { id: PROJECT, name: "Shop" });
  return hall;
}

function textOf(hall: Hall, path: string): string {
  return readFileSync(join(hall.workspace, "projects", PROJECT, path), "utf8");
}

function run(hall: Hall, title: string) {
  const options = { waitForCompletion: true, createArtifact: false };
  return hall.call("POST", "/api/team/spawn", { projectId: PROJECT, roleId: "coder", task: { title }, options });
}

const entriesIn = (text: string) => text.split("\n").filter((line) => /^- \d{4}-\d{2}-\d{2} TASK-/.test(line));

it("every run that ends leaves one line in the project's memory, however many end at once", async () => {
  const hall = await shop();
  const titles = Array.from({ length: 20 }, (_, number) => `Job ${number}`);
  const answers = await Promise.all(titles.map((title) => run(hall, title)));
  const entries = entriesIn(textOf(hall, "MEMORY.md"));
  expect(entries).toHaveLength(20);
  for (const { body } of answers)
    expect(entries.filter((entry) => entry.endsWith(`(coder, ${body.sessionId})`))).toHaveLength(1);
});

it("keeps what a person wrote between two runs, and in place of all lines", async () => {
  const hall = await shop();
  const path = join(hall.workspace, "projects", PROJECT, "MEMORY.md");
  for (const title of ["One", "Two"]) await run(hall, title);
  writeFileSync(path, textOf(hall, "MEMORY.md").replace("- Not set.", "- We use tabs."));
  appendFileSync(path, "My own line.\n");
  await run(hall, "Three");
  expect(textOf(hall, "MEMORY.md")).toContain("My own line.\n");
  expect(entriesIn(textOf(hall, "MEMORY.md"))).toHaveLength(3);
  writeFileSync(path, "# Mine\n");
  await run(hall, "Four");
  expect(textOf(hall, "MEMORY.md")).toMatch(/^# Mine\n/);
  expect(entriesIn(textOf(hall, "MEMORY.md"))).toHaveLength(1);
});

it("a memory that grows long hands its older entries to the month they are of, and keeps what a person wrote", async () => {
  const hall = await shop();
  const path = join(hall.workspace, "projects", PROJECT, "MEMORY.md");
  const older = Array.from(
    { length: 100 },
    (_, number) => `- 2026-0${number < 60 ? 3 : 4}-11 TASK-${100 + number} Old: done (coder, run-0${number})`,
  );
  const before = readFileSync(path, "utf8").trimEnd();
  writeFileSync(path, `${before}\n\n## Work Log\n\nMy own line.\n${older.join("\n")}\n`);
  const { body } = await run(hall, "One more");
  const memory = textOf(hall, "MEMORY.md");
  expect(memory).toContain("My own line.");
  expect(entriesIn(memory)).toHaveLength(50);
  expect(entriesIn(memory).at(-1)).toContain(body.sessionId);
  expect(entriesIn(textOf(hall, "runs/work-log/2026-03.md"))).toEqual(
    older.filter((entry) => entry.startsWith("- 2026-03")).slice(0, 51),
  );
  expect(memory.startsWith(before.slice(0, 100))).toBe(true);
});

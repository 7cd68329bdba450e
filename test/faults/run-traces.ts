import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import type { Hall } from "../harness/daemon.ts";
import { bookOf, entriesOf, journalOf, PROJECT, runOf } from "../harness/spawned-runs.ts";

export const UNKNOWN = /outcome unknown/;

/** Everything a completed run leaves behind is there, and nothing of it twice. */
export async function assertDoneOnce(hall: Hall, id: string, projectId = PROJECT): Promise<JournalEntry[]> {
  const run = await runOf(hall, id);
  expect(run, JSON.stringify(run)).toMatchObject({ id, status: "completed" });
  const folder = join(hall.workspace, "projects", projectId);
  const artifacts = readdirSync(join(folder, "ARTIFACTS"), { recursive: true }).filter((name) =>
    String(name).includes(id),
  );
  expect(artifacts, "artifacts").toHaveLength(1);
  expect(run.result?.artifacts).toEqual([`ARTIFACTS/${artifacts[0]}`]);
  expect(memoryOf(folder).split(`${id})\n`).length - 1, "lines in the memory").toBe(1);
  await assertToldOnce(hall, id, run.taskId);
  expect(
    bookOf(hall.workspace, id, projectId).filter((line) => line.type === "settled"),
    "settled",
  ).toHaveLength(1);
  const journal = journalOf(hall.workspace, id, projectId);
  assertJournalWhole(journal);
  return journal;
}

/** MEMORY.md and what became too old for it. */
function memoryOf(folder: string): string {
  const months = join(folder, "runs/work-log");
  const older = existsSync(months) ? readdirSync(months).map((name) => join(months, name)) : [];
  return [join(folder, "MEMORY.md"), ...older].map((path) => `${readFileSync(path, "utf8")}\n`).join("");
}

function eventsAbout(hall: Hall, id: string): { type: string; subject: { id: string } }[] {
  const folder = join(hall.workspace, "events");
  const days = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const lines = days.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line));
}

async function assertToldOnce(hall: Hall, id: string, taskId: string): Promise<void> {
  const events = eventsAbout(hall, id);
  const told = (type: string) => events.filter((event) => event.type === type && event.subject.id === id);
  expect(told("run.created"), "run.created").toHaveLength(1);
  expect(told("run.ended"), "run.ended").toMatchObject([{ after: { journal: { lines: expect.any(Number) } } }]);
  const { task } = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body;
  expect(task).toMatchObject({ status: "done", assignedSubAgentId: id });
  const moves = task.history.filter((move: { to: string }) => move.to === "done");
  expect(moves, "moves to done").toHaveLength(1);
}

/** Every call was answered exactly once, and the run ended exactly once. */
export function assertJournalWhole(journal: JournalEntry[]): void {
  const calls = entriesOf(journal, "answer").flatMap((answer) => (answer.calls ?? []).map((call) => call.id));
  const results = entriesOf(journal, "result").map((result) => result.id);
  expect(results.toSorted()).toEqual(calls.toSorted());
  expect(new Set(calls).size).toBe(calls.length);
  expect(entriesOf(journal, "ended")).toHaveLength(1);
  expect(journal.at(-1)?.type).toBe("ended");
}

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { ProcessNotes } from "./process-notes.ts";

function sleeper(word: string): { child: ChildProcess; pid: number; gone: Promise<string | null> } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", word], { stdio: "ignore" });
  const gone = new Promise<string | null>((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, pid: child.pid ?? 0, gone };
}

it("ends what an earlier life left behind, even when it is stopped, and nothing else", async () => {
  const folder = temporaryFolder();
  const notes = new ProcessNotes(folder);
  const [left, stopped, stranger] = [sleeper("ours-1"), sleeper("ours-2"), sleeper("someone else's")];
  stopped.child.kill("SIGSTOP");
  notes.add(left.pid, ["ours-1"]);
  notes.add(stopped.pid, ["ours-2"]);
  // The number was given to another process in the meantime.
  notes.add(stranger.pid, ["ours-3"]);
  writeFileSync(join(folder, "notes.txt"), "of a person");
  expect(await new ProcessNotes(folder).endLeftovers()).toBe(2);
  expect([await left.gone, await stopped.gone]).toEqual(["SIGKILL", "SIGKILL"]);
  expect(stranger.child.exitCode).toBeNull();
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
});

it("has nothing to end when everyone has left in order, or the note is broken", async () => {
  const folder = temporaryFolder();
  const notes = new ProcessNotes(folder);
  const one = sleeper("ours");
  notes.add(one.pid, ["ours"]);
  notes.remove(one.pid);
  notes.add(999_999_999, ["ours"]);
  const other = sleeper("ours");
  writeFileSync(join(folder, String(other.pid)), "{");
  expect(await notes.endLeftovers()).toBe(0);
  expect([one.child.exitCode, other.child.exitCode]).toEqual([null, null]);
});

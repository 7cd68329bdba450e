import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { type Hall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { listRuns, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, EVENTS } from "./crashing-hall.ts";
import { isThorough } from "./sampled.ts";

const TASK = "/TASKS/.*TASK-[^/]*\\.md$";
const by = (point: Omit<CrashPoint, "victim">): CrashPoint => ({ victim: "daemon", ...point });
const verdict = (word: string, when: CrashPoint["when"]) => by({ file: BOOK, text: `"verdict":"${word}"`, when });
const playbooks = { play: writing({ "a.txt": "agent\n" }) };
const config = { constraints: { requireReview: true } };

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")(
  "a decision about a result, when the daemon is killed (needs Linux)",
  () => {
    it.each(["git", "folder"])(
      "has its task follow it, whatever the crash kept from following (%s)",
      { timeout: 180_000 },
      async (kind) => {
        const { crashing, branches } = await start(kind);
        const points: [string, CrashPoint, string][] = [
          ["approve", verdict("approved", "after"), "done"],
          ["revert", verdict("reverted", "after"), "pending"],
          ["approve", by({ file: EVENTS, text: "run.approved", when: "after" }), "done"],
          ["revert", by({ file: TASK, when: "after" }), "pending"],
        ];
        let id = "";
        for (const [deed, point, status] of kind === "git" ? points : points.slice(0, 2)) {
          if (deed === "approve") {
            id = await spawnRun(crashing.hall, "play", "Do it");
            await untilOver(crashing.hall, id);
          }
          const { hash } = (await crashing.hall.call("GET", `/api/runs/${id}/diff`)).body;
          const body = deed === "approve" ? { hash } : undefined;
          crashing.arm(point);
          await crashing.hall.call("POST", `/api/runs/${id}/${deed}`, body).catch(() => undefined);
          await crashing.struck(point);
          expect(await statusOf(crashing.hall, id), `${deed} ${point.file}`).toBe(status);
          const told = await eventsOf(crashing.hall, deed === "approve" ? "run.approved" : "run.reverted");
          expect(
            told.filter(({ subject }) => subject.id === id),
            deed,
          ).toMatchObject([{ actor: { kind: "person" } }]);
          expect(branches(), deed).toEqual(["main"]);
        }
      },
    );

    it.each(["git", "folder"])(
      "is discarded and restored whole, wherever the crash comes (%s)",
      { timeout: 180_000 },
      async (kind) => {
        const { crashing, branches, text } = await start(kind);
        const id = await spawnRun(crashing.hall, "play", "Do it");
        await untilOver(crashing.hall, id);
        const whole = branches();
        const points: [path: string, point: CrashPoint, state: string, status: string][] = [
          // The change is in the log by then, and a start completes it.
          ["discard", verdict("discarded", "before"), "discarded", "pending"],
          ["discard/undo", verdict("restored", "before"), "review", "review"],
          ["discard", verdict("discarded", "after"), "discarded", "pending"],
          ["discard/undo", verdict("restored", "after"), "review", "review"],
        ];
        // Pairs of a discard and its undo; without full depth, one of them in each kind of folder.
        const chosen = isThorough ? points : kind === "git" ? points.slice(2) : points.slice(0, 2);
        for (const [path, point, state, status] of chosen) {
          crashing.arm(point);
          const body = path === "discard" ? {} : undefined;
          const key = { "idempotency-key": `${path}-${point.when}` };
          const headers = path === "discard" ? key : undefined;
          await crashing.hall.call("POST", `/api/runs/${id}/${path}`, body, headers).catch(() => undefined);
          await crashing.struck(point);
          const label = `${path} ${point.when}`;
          expect((await runOf(crashing.hall, id)).delivery?.state, label).toBe(state);
          expect(await statusOf(crashing.hall, id), label).toBe(status);
          if (kind === "git") expect(branches(), label).toEqual(state === "review" ? whole : ["main"]);
          else expect(text(), label).toBe(state === "review" ? "agent\n" : undefined);
          if (headers !== undefined)
            expect(await crashing.hall.call("POST", `/api/runs/${id}/discard`, {}, key), label).toMatchObject({
              status: 200,
              body: { run: { delivery: { state: "discarded" } } },
            });
        }
        for (const type of ["run.discarded", "run.restored"])
          expect(await eventsOf(crashing.hall, type), type).toMatchObject(
            Array.from({ length: chosen.length / 2 }, () => ({ actor: { kind: "person" } })),
          );
      },
    );

    it("is told when only the run that goes on with a result was on disk", async () => {
      const { crashing } = await start("git");
      const id = await spawnRun(crashing.hall, "play", "Do it");
      await untilOver(crashing.hall, id);
      const point = verdict("rejected", "before");
      crashing.arm(point);
      const key = { "idempotency-key": "once" };
      const reject = () => crashing.hall.call("POST", `/api/runs/${id}/request-changes`, { feedback: "Better" }, key);
      await expect(reject()).rejects.toThrow();
      await crashing.struck(point);
      const next = (await listRuns(crashing.hall)).find((run) => run.id !== id);
      expect(await runOf(crashing.hall, id)).toMatchObject({
        delivery: { kind: "branch", state: "rejected", next: next?.id },
      });
      expect(await reject()).toMatchObject({ status: 200, body: { sessionId: next?.id } });
      expect(await untilOver(crashing.hall, next?.id ?? "")).toMatchObject({
        delivery: { kind: "branch", state: "review" },
      });
      const events = await eventsOf(crashing.hall, "run.rejected");
      expect(events).toMatchObject([{ actor: { kind: "person", via: "http" }, after: { feedback: "Better" } }]);
    });
  },
);

async function start(kind: string) {
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  if (kind === "git") {
    const repo = repository({ "a.txt": "a\n" });
    await hallOver(await crashing.start(), { root: repo.root, config, playbooks });
    return { crashing, branches: () => repo.branches(), text: () => undefined };
  }
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  await hallOver(await crashing.start(), { root, config, playbooks });
  const text = () => (existsSync(join(root, "a.txt")) ? readFileSync(join(root, "a.txt"), "utf8") : undefined);
  return { crashing, branches: () => ["main"], text };
}

async function eventsOf(hall: Hall, type: string): Promise<HallEvent[]> {
  return (await hall.call("GET", `/api/events/log?type=${type}`)).body.events;
}

async function statusOf(hall: Hall, id: string): Promise<string> {
  const { taskId } = await runOf(hall, id);
  return (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { BoardQuestion } from "../agent/tools/board-tools.ts";
import { TaskCreate } from "../contract/documents/task.ts";
import { openHall } from "../workspace/hall/open-hall.ts";
import { BoardDesk } from "./board-desk.ts";

const BY_A_PERSON = { actor: { kind: "person" as const, via: "http" as const } };
const AGENT = { kind: "agent" as const, id: "project:shop", via: "daemon" as const };

async function board(constraints: object = {}) {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  await hall.projects.create({ id: "shop", name: "Shop", config: { constraints } } as never, BY_A_PERSON);
  const atWork = new Map<string, string>();
  const judged = new Map<string, string>();
  const desk = new BoardDesk({
    hall,
    moments: { completing: async () => undefined },
    runAtWork: (_, id) => atWork.get(id),
    judgedRun: (_, id) => judged.get(id),
  });
  let calls = 0;
  const ask = (what: BoardQuestion, input: object, callId = `call ${++calls}`) =>
    desk.ask(what, input, { projectId: "shop", actor: AGENT, callId });
  const make = (title: string) => hall.tasks.create("shop", TaskCreate.parse({ title }), BY_A_PERSON);
  const task = (id = "TASK-001") => hall.tasks.get("shop", id);
  return { workspace, hall, desk, ask, make, task, atWork, judged };
}

describe("the board, as agents use it", () => {
  it("keeps what was said when a task is finished, and does it once", async () => {
    const { workspace, ask, make, task, hall } = await board();
    await make("Paint the door");
    const input = { id: "task-1", summary: "Painted it green.\n\nSeen by eye." };
    expect(await ask("task_complete", input, "one")).toBe("TASK-001 is done.");
    const head = hall.events.head();
    expect(await ask("task_complete", input, "one")).toBe("TASK-001 is done.");
    expect(await ask("task_complete", { ...input, summary: "Again." }, "two")).toBe("TASK-001 is done.");
    expect(hall.events.head()).toBe(head);
    expect(await task()).toMatchObject({ status: "done", completionNotes: "Painted it green.\n\nSeen by eye." });
    expect(readFileSync(join(workspace, "projects/shop/TASKS/done/TASK-001.md"), "utf8")).toContain("Seen by eye.");
    expect(await ask("task_get", { id: "TASK-001" })).toContain("Painted it green.");
  });

  it("leaves a task alone whose result is in the hands of the gates [S1-RL-02]", async () => {
    const { ask, make, task, judged } = await board();
    await make("Paint the door");
    await ask("task_update", { id: "TASK-001", status: "in-progress" });
    await ask("task_update", { id: "TASK-001", status: "blocked" });
    judged.set("TASK-001", "run-7");
    for (const [what, input] of [
      ["task_complete", { id: "TASK-001", summary: "Done." }],
      ["task_update", { id: "TASK-001", status: "in-progress" }],
      ["task_update", { id: "TASK-001", status: "cancelled" }],
    ] as const)
      await expect(ask(what, input)).rejects.toThrow("The result of run 'run-7' is in review");
    expect((await task()).status).toBe("blocked");
  });

  it("leaves a task alone that a run is at work on", async () => {
    const { ask, make, task, atWork } = await board();
    await make("Paint the door");
    await ask("task_update", { id: "TASK-001", status: "in-progress" });
    atWork.set("TASK-001", "run-7");
    for (const [what, input] of [
      ["task_complete", { id: "TASK-001", summary: "Done." }],
      ["task_update", { id: "TASK-001", status: "cancelled" }],
    ] as const)
      await expect(ask(what, input)).rejects.toThrow("Run 'run-7' is working on TASK-001");
    await ask("task_update", { id: "TASK-001", priority: "high" });
    expect(await task()).toMatchObject({ status: "in-progress", priority: "high" });
    atWork.clear();
    expect(await ask("task_complete", { id: "TASK-001", summary: "Done." })).toBe("TASK-001 is done.");
  });

  it("hands what is finished to a person where the project asks for review", async () => {
    const { ask, make, task } = await board({ requireReview: true });
    await make("Paint the door");
    expect(await ask("task_complete", { id: "TASK-001", summary: "Green." })).toBe("TASK-001 is review.");
    expect(await ask("task_complete", { id: "TASK-001", summary: "Green." })).toBe("TASK-001 is review.");
    expect(await task()).toMatchObject({ status: "review", completionNotes: "Green." });
  });

  it("names the moves that are legal", async () => {
    const { ask, make } = await board();
    await make("Paint the door");
    await expect(ask("task_update", { id: "TASK-001", status: "review" })).rejects.toThrow(
      "TASK-001 is pending and cannot become review. From pending it can become assigned, in-progress, blocked, cancelled, failed.",
    );
    await ask("task_update", { id: "TASK-001", status: "cancelled" });
    await expect(ask("task_complete", { id: "TASK-001", summary: "Done." })).rejects.toThrow(
      "From cancelled it can become pending.",
    );
    await expect(ask("task_update", { id: "TASK-001", status: "done" })).rejects.toThrow("task_complete");
    await expect(ask("task_get", { id: "TASK-009" })).rejects.toMatchObject({ code: "task_not_found" });
  });

  it.each([
    ["two\nlines", "title: must be one line"],
    ["turned \u202eround", "title: must not contain deceptive characters"],
    ["  ", "title: must not be empty"],
    ["half \ud83d", "title: must be well-formed"],
  ])("refuses the title %j, new or changed", async (title, why) => {
    const { ask, make, task } = await board();
    await make("Paint the door");
    await expect(ask("task_create", { title })).rejects.toThrow(why);
    await expect(ask("task_update", { id: "TASK-001", title })).rejects.toThrow(why);
    expect(await task()).toMatchObject({ title: "Paint the door" });
  });

  it("cuts long titles between characters, never within one", async () => {
    const { ask, desk } = await board();
    const title = `${"a".repeat(128)}${"🚪".repeat(100)}`;
    expect(await ask("task_create", { title: `x${title}` })).toContain("🚪");
    await ask("task_create", { title });
    for (const text of [desk.state("shop", 10), await ask("task_list", {})]) {
      expect(text.isWellFormed()).toBe(true);
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
    }
  });

  it("says what a task still waits on, and which plan it belongs to", async () => {
    const { ask, make } = await board();
    await make("Buy paint");
    await make("Buy a brush");
    await ask("task_create", { title: "Paint", blockedBy: ["TASK-1", "task-002"], plan: "doors" });
    await ask("task_complete", { id: "TASK-001", summary: "Bought." });
    expect(await ask("task_list", { status: "todo" })).toContain(
      "TASK-003 [pending, medium, blocked by TASK-002, plan doors] Paint",
    );
    await ask("task_update", { id: "TASK-003", plan: null });
    expect(await ask("task_get", { id: "TASK-003" })).not.toContain("doors");
  });

  it("is told within bounds, however many tasks there are", async () => {
    const { desk, make, ask, hall } = await board();
    for (let at = 0; at < 300; at++) await make(`Task of a long board ${at} ${"and more ".repeat(20)}`);
    await ask("task_update", { id: "TASK-250", status: "in-progress" });
    const text = desk.state("shop", 25);
    expect(text.split("\n").length).toBe(27);
    expect(text.length).toBeLessThan(25 * 161 + 200);
    expect(text.split("\n")[1]).toContain("TASK-250 [in-progress");
    expect(text).toContain("(275 more; see task_list)");
    expect((await ask("task_list", { limit: 100 })).length).toBeLessThan(101 * 161);
    expect(hall.projects.get("shop").taskCount.todo).toBe(299);
  });
});

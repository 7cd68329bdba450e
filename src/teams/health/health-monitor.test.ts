import { describe, expect, it, vi } from "vitest";
import { PlayedWorld, plannedTask } from "../../../test/fakes/team-world.ts";
import { Config } from "../../contract/documents/config.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import { HealthMonitor } from "./health-monitor.ts";
import { teamHealth } from "./health-view.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

type Parts = ConstructorParameters<typeof HealthMonitor>[0];
type Listener = Parameters<Parts["live"]["subscribe"]>[0];

/** A team with one member at work, whose run and clock a test plays. */
function monitored({ health = {} }: { health?: object } = {}) {
  const world = new PlayedWorld();
  world.plan([plannedTask("a")]);
  const runId = world.runIdOf("a");
  const run = { id: runId, projectId: "shop", status: "running", model: "test/m" } as Record<string, unknown>;
  const lines: string[] = [];
  const doing: Record<string, unknown> = {};
  const children: Record<string, unknown>[] = [];
  const settings = Config.parse({ agentTeams: { health } }).agentTeams.health;
  let now = 0;
  let wall = Date.UTC(2026, 10, 18);
  let listener: Listener = () => undefined;
  const known = () => ({ run: { ...run }, epoch: 1, journal: "run.jsonl", messages: [] });
  const parts = {
    core: {
      runs: {
        get: (id: string) => (id === runId ? known() : undefined),
        unsettled: () => children.map((one) => ({ run: one })),
      },
      files: {
        stamp: () => ({ size: Buffer.byteLength(lines.join("")) }),
        scanLog: (_: string, from: number, visit: (text: string, offset: number) => boolean) => {
          let at = 0;
          for (const line of lines) {
            if (at >= from) visit(line.trimEnd(), at);
            at += Buffer.byteLength(line);
          }
        },
      },
      clock: () => new Date(wall),
      shown: { available: async () => undefined, caughtUp: async () => undefined },
    },
    store: {
      open: () => [world.state],
      find: () => world.state,
      append: async (_: string, facts: Parameters<typeof world.append>) => world.append(...facts),
    },
    keeper: { alone: (_: string, work: () => Promise<unknown>) => work(), look: () => world.settle() },
    live: {
      subscribe: (given: Listener) => {
        listener = given;
        return () => undefined;
      },
      shown: (one: object) => ("parentRunId" in one ? one : { ...one, ...doing }),
    },
    settings: () => settings,
    means: () => ({ threshold: 2, strongerModel: "test/best" }),
    answersFor: (model: string) => (model === "played/m" ? "offline/rehearsal" : model),
    uptime: () => now,
    onTrouble: (_: string, error: unknown) => {
      throw error;
    },
  } as unknown as Parts;
  const started = () => {
    const made = new HealthMonitor(parts);
    made.start();
    return made;
  };
  let monitor = started();
  const look = async () => {
    monitor.look();
    await vi.waitFor(() => Promise.resolve());
  };
  const issues = () => [...world.state.health.members.values()].flatMap((one) => one.issues);
  return {
    world,
    run,
    doing,
    children,
    look,
    issues,
    runId,
    monitor: () => monitor,
    actions: () => issues().map(({ action }) => action),
    wait: async (ms: number) => {
      now += ms;
      wall += ms;
      await look();
    },
    jump: (ms: number) => {
      wall += ms;
    },
    sign: () => listener({ runId, projectId: "shop", activity: { kind: "tool", name: "read" } }),
    restart: () => {
      monitor = started();
    },
    write: (entry: JournalEntry) => lines.push(`${JSON.stringify(entry)}\n`),
  };
}

const historyOf = (of: ReturnType<typeof monitored>) =>
  teamHealth(of.world.state, of.monitor(), 0).flatMap(({ history }) => history);
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function called(of: ReturnType<typeof monitored>, at: number, failed = true): void {
  const id = `call-${at}`;
  const calls = [{ id, name: "edit", input: JSON.stringify({ path: "x".repeat(at + 1) }) }];
  const when = "2026-11-18T00:00:00.000Z";
  of.write({
    type: "answer",
    text: "",
    calls,
    finish: "calls",
    model: "test/m",
    usage,
    costUsd: 0,
    at: when,
  } as JournalEntry);
  of.write({ type: "result", id, name: "edit", output: "No.", ...(failed ? { failed: true as const } : {}) });
}

describe("the health monitor", () => {
  it("helps a stalled member step by step, each at least 2 minutes after the one before [S1-HM-06] [S1-TM-16]", async () => {
    const of = monitored();
    await of.look();
    await of.wait(5 * MINUTE - 1);
    expect(of.actions()).toEqual([]);
    await of.wait(1);
    expect(of.actions()).toEqual(["nudge"]);
    await of.wait(2 * MINUTE - 1);
    expect(of.actions()).toEqual(["nudge"]);
    await of.wait(1);
    await of.wait(2 * MINUTE);
    await of.wait(2 * MINUTE);
    expect(of.actions()).toEqual(["nudge", "restart", "stronger-model", "escalate"]);
    expect(of.world.state.question).toMatchObject({ kind: "member-stuck", task: "a", issue: 4 });
    await of.wait(10 * MINUTE);
    expect(of.actions()).toHaveLength(4);
    of.world.say("approve");
    expect(of.world.state).toMatchObject({ question: undefined, tasks: expect.anything() });
    expect(of.world.working()).toEqual(["a"]);
    // The person decided: it begins anew, but for the restart and the model, which it has had.
    for (let at = 0; at < 3; at++) await of.wait(2 * MINUTE);
    expect(of.actions().slice(4)).toEqual(["nudge", "escalate"]);
    of.world.say("retry", "Use the other file.");
    expect(of.world.isOver(of.runId)).toBe(true);
    expect(of.world.runIdOf("a")).not.toBe(of.runId);
  });

  it("takes neither a clock that is set nor a restart of the daemon for a stall, and debounces over both", async () => {
    const of = monitored();
    await of.look();
    of.jump(600 * MINUTE);
    await of.look();
    of.jump(-1_200 * MINUTE);
    await of.wait(MINUTE);
    expect(of.actions()).toEqual([]);
    await of.wait(4 * MINUTE);
    expect(of.actions()).toEqual(["nudge"]);
    of.restart();
    await of.look();
    await of.wait(4 * MINUTE);
    expect(of.actions()).toEqual(["nudge"]);
    of.jump(-600 * MINUTE);
    of.restart();
    await of.look();
    await of.wait(5 * MINUTE);
    await of.wait(2 * MINUTE);
    expect(of.actions()).toEqual(["nudge", "restart"]);
    of.sign();
    await of.look();
    expect(of.world.state.health.open.size).toBe(0);
  });

  it.each(["delegate", "spawn_subagent"])(
    "takes for a member what the agent does that it waits for with %s",
    async (name) => {
      const of = monitored();
      await of.look();
      Object.assign(of.doing, { activity: { kind: "tool", name } });
      const child: Record<string, unknown> = { id: "child", parentRunId: of.runId, status: "running", model: "slow/m" };
      of.children.push(child);
      child.activity = { kind: "thinking" };
      await of.wait(9 * MINUTE);
      expect(of.issues()).toEqual([]);
      child.waitingFor = "answer";
      await of.wait(60 * MINUTE);
      expect(of.issues()).toEqual([]);
      delete child.waitingFor;
      await of.wait(11 * MINUTE);
      expect(of.issues()).toMatchObject([
        { issue: "stall", reason: "No activity for 11 min. slow/m hasn't answered." },
      ]);
    },
  );

  it("leaves those alone who wait or give signs of life", async () => {
    const of = monitored();
    await of.look();
    Object.assign(of.doing, { waitingFor: "answer" });
    await of.wait(60 * MINUTE);
    Object.assign(of.doing, { waitingFor: undefined, activity: { kind: "thinking" } });
    await of.wait(9 * MINUTE);
    of.sign();
    await of.wait(9 * MINUTE);
    expect(of.actions()).toEqual([]);
  });

  it("names the model that was really asked: where the offline model plays another, that one has no time of its own", async () => {
    const of = monitored({ health: { modelSeconds: 60, models: { "played/m": 9_000 } } });
    Object.assign(of.run, { model: "played/m" });
    Object.assign(of.doing, { activity: { kind: "thinking" } });
    await of.wait(0);
    await of.wait(61 * SECOND);
    expect(of.issues()).toMatchObject([
      { issue: "stall", reason: "No activity for 1 min. offline/rehearsal hasn't answered." },
    ]);
  });

  it("tells a loop once for each failure, and remembers 20 issues and 20 calls [S1-HM-07] [S1-HM-09] [S1-TM-15]", async () => {
    const of = monitored({ health: { debounceSeconds: 0 } });
    called(of, 0);
    called(of, 1);
    await of.look();
    expect(of.issues()).toEqual([]);
    for (let at = 2; at < 5; at++) {
      called(of, at);
      await of.look();
      await of.look();
    }
    expect(of.actions()).toEqual(["nudge", "nudge", "stronger-model"]);
    for (let at = 5; at < 80; at++) {
      called(of, at, at % 4 !== 0);
      of.world.append({ type: "member-resolved", member: of.issues()[0]?.member ?? "", by: "person", restart: false });
      await of.look();
    }
    const [member] = teamHealth(of.world.state, of.monitor(), 0).filter(({ task }) => task === "a");
    expect([member?.history.length, member?.calls.length]).toEqual([20, 20]);
    expect(member?.history.at(-1)?.number).toBe(of.world.state.health.last);
    expect(of.world.refold().health).toEqual(of.world.state.health);
  });

  it("records what a run died of, and does nothing for it", async () => {
    const of = monitored();
    await of.look();
    for (let at = 0; at < 3; at++) called(of, at);
    of.run.status = "failed";
    of.monitor().heed({ type: "run.ended", subject: { kind: "run", id: of.runId }, projectId: "shop" } as HallEvent);
    await vi.waitFor(() => expect(of.issues()).toHaveLength(1));
    expect(of.issues()).toMatchObject([{ issue: "error-loop", action: "none", outcome: "too-late" }]);
    expect(of.world.state.health.open.size).toBe(0);
    expect(historyOf(of)).toMatchObject([{ action: "none", state: "ended" }]);
  });

  it("calls an issue that its run ended with no recovery, and an action that came too late not done", async () => {
    const of = monitored();
    await of.look();
    for (let at = 0; at < 3; at++) called(of, at);
    await of.look();
    expect(historyOf(of)).toMatchObject([{ action: "nudge", state: "open", outcome: "done" }]);
    of.run.status = "failed";
    await of.look();
    expect(historyOf(of)).toMatchObject([{ action: "nudge", state: "ended", outcome: "done" }]);
    expect(of.world.refold().health).toEqual(of.world.state.health);
  });

  it("checks every 30 seconds while a member works, and has no timer otherwise [S1-HM-01] [S1-MOD-01]", async () => {
    vi.useFakeTimers();
    try {
      const of = monitored();
      const look = vi.spyOn(of.monitor(), "look");
      await vi.advanceTimersByTimeAsync(29_999);
      expect(look).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(look).toHaveBeenCalledTimes(2);
      of.run.status = "completed";
      await vi.advanceTimersByTimeAsync(30_000);
      expect(vi.getTimerCount()).toBe(0);
      of.run.status = "running";
      of.monitor().heed({
        type: "run.started",
        subject: { kind: "run", id: of.runId },
        projectId: "shop",
      } as HallEvent);
      expect(vi.getTimerCount()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

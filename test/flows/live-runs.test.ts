import { describe, expect, it, onTestFinished } from "vitest";
import type { RunLine } from "../../src/contract/now.ts";
import type { Activity } from "../../src/contract/runs/activity.ts";
import type { Delta } from "../../src/contract/runs/model-call.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import type { Hall } from "../harness/daemon.ts";
import { held, scriptedHall, WIRE_MODELS } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";

interface Live {
  event: string;
  runId: string;
  projectId: string;
  delta?: Delta;
  activity?: Activity;
  run?: RunLine;
}

/** Reads what the stream tells of runs until it ends, or until the test does. */
async function watch(hall: Hall, query = "") {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${hall.url}/api/live?topics=runs&deltas=*${query}`, {
    headers: { authorization: `Bearer ${hall.token}` },
    signal: leaving.signal,
  });
  expect(response.headers.get("content-type")).toMatch("text/event-stream");
  const heard: Live[] = [];
  let news = Promise.withResolvers<void>();
  const ended = (async () => {
    let rest = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (rest + piece).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
        if (event !== undefined && event !== "hello" && data !== undefined) heard.push({ event, ...JSON.parse(data) });
      }
      news.resolve();
      news = Promise.withResolvers();
    }
  })();
  ended.catch(() => undefined).finally(() => news.resolve());
  const until = async (isWanted: (live: Live) => boolean): Promise<void> => {
    while (!heard.some(isWanted)) await news.promise;
  };
  return { heard, ended, until, leave: () => leaving.abort() };
}

const isLast = ({ run }: Live) => run !== undefined && isOver(run);
const textOf = (heard: Live[], kind: "text" | "thinking") =>
  heard.map(({ delta }) => (delta?.kind === kind ? delta.text : "")).join("");

describe.each([WIRE_MODELS.anthropic, WIRE_MODELS.openai])("the live stream of a run of %s", (model) => {
  it("tells text, thinking, tool calls, activities and states", async () => {
    const gate = held();
    const script = ({ turns }: SeenRequest) =>
      turns === 0
        ? gate.opened.then(() => ({
            thinking: "Where is it?",
            signature: "s",
            text: ["I lo", "ok ", "around."],
            calls: [{ name: "list", input: { path: "." } }],
          }))
        : { text: "All is done." };
    const { hall, provider, spawn } = await scriptedHall(script, { model });
    const { sessionId } = (await spawn({ overrides: { model, thinking: "high" } })).body;
    await provider.request(0);
    const { heard, until } = await watch(hall);
    gate.open();
    await until(isLast);
    expect(textOf(heard, "text")).toBe("I look around.All is done.");
    expect(textOf(heard, "thinking")).toBe("Where is it?");
    const calls = heard.flatMap(({ delta }) => (delta?.kind === "call" ? [delta.name] : []));
    expect(calls).toEqual(["list"]);
    expect(heard.filter(({ activity }) => activity !== undefined).length).toBeGreaterThan(0);
    expect(heard.at(-1)).toMatchObject({ event: "run", run: { status: "completed", progress: 1 } });
    expect(heard.filter(isLast)).toHaveLength(1);
    const kinds = new Set(heard.map(({ event, run }) => `${event} ${run === undefined ? "" : "with a run"}`));
    expect([...kinds].sort()).toEqual(["delta ", "run ", "run with a run"]);
    expect(new Set(heard.map(({ runId }) => runId))).toEqual(new Set([sessionId]));
  });
});

describe("the live stream", () => {
  it("of a project has its runs and no others; without a filter it has all, from creation to end", async () => {
    const { hall, spawn } = await scriptedHall(() => ({ text: "Done." }));
    await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
    const [all, shop] = [await watch(hall), await watch(hall, "&project=shop")];
    const there = (await spawn({ projectId: "mill" })).body.sessionId;
    await all.until((live) => live.runId === there && isLast(live));
    const here = (await spawn()).body.sessionId;
    await shop.until(isLast);
    await all.until((live) => live.runId === here && isLast(live));
    expect(new Set(shop.heard.map(({ runId }) => runId))).toEqual(new Set([here]));
    expect(new Set(all.heard.map(({ runId }) => runId))).toEqual(new Set([there, here]));
    const states = all.heard.filter(({ runId }) => runId === here).flatMap(({ run }) => run?.status ?? []);
    expect(states).toEqual(["running", "completed"]);
  });

  it("may be left at any time without any harm to the run", async () => {
    const gate = held();
    const { hall, provider, spawn } = await scriptedHall(() => gate.opened.then(() => ({ text: "Done." })));
    const { sessionId } = (await spawn()).body;
    await provider.request(0);
    const [leaver, stayer] = [await watch(hall), await watch(hall)];
    leaver.leave();
    gate.open();
    await stayer.until(isLast);
    expect(stayer.heard.find(isLast)).toMatchObject({ runId: sessionId, run: { status: "completed" } });
  });

  it("ends when the hall stops, and does not hold it up", async () => {
    const { hall } = await scriptedHall([]);
    const { ended } = await watch(hall);
    const began = performance.now();
    await hall.stop();
    await ended;
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it("needs the token, and queries that it knows", async () => {
    const { hall } = await scriptedHall([]);
    expect((await fetch(`${hall.url}/api/live`)).status).toBe(401);
    for (const query of ["?project=No Slug", "?since=1", "?deltas=a&deltas=b", "?topics=rain", "?channels=nowhere"])
      expect([query, (await hall.call("GET", `/api/live${query}`)).status]).toEqual([query, 422]);
  });
});

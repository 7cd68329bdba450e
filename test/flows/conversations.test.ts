import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ChannelMessage } from "../../src/contract/documents/channel.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { models } from "../harness/paid-calls.ts";
import { projectProcess, projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { held, inShop, KEY, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";

interface Where {
  wait?: number;
  to?: string;
  channel?: string;
}

const SHOP = "/api/projects/shop/messages";
const say = (hall: Hall, text: string, { wait = 20, to = SHOP, ...more }: Where = {}) =>
  hall.call("POST", `${to as typeof SHOP}?wait=${wait}`, { text, ...more });
const messagesOf = async (hall: Hall, at = SHOP): Promise<ChannelMessage[]> =>
  (await hall.call("GET", at as typeof SHOP)).body.messages ?? [];
const textsOf = (messages: readonly { text: string }[]) => messages.map(({ text }) => text);
const lastLine = ({ text }: SeenRequest) => text.split("\n").at(-1) ?? "";
const echo = (seen: SeenRequest) => ({ text: `You said: ${lastLine(seen)}` });
const again = ({ hall }: ScriptedHall) =>
  startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });

it("says once what the main agent has said with its tool", async () => {
  const { hall } = await scriptedHall(({ results }) =>
    results.length > 0
      ? { text: "I have told the person." }
      : { calls: [{ name: "reply", input: { channelType: "http", channelId: "default", text: "Good day." } }] },
  );
  const { body } = await say(hall, "Hello", { to: "/api/chat" });
  expect(body.answers).toMatchObject([{ text: "Good day.", inReplyTo: body.message.id }]);
});

it("stops also an answer that has not begun, whether its process is not up yet or others are before it", async () => {
  const hold = held();
  const { hall, provider } = await scriptedHall(async (seen) => {
    if (lastLine(seen) === "hold") await hold.opened;
    return echo(seen);
  });
  const stops = async (to: typeof SHOP) => (await hall.call("POST", `${to}/stop`)).body.stopped;
  const early = say(hall, "early");
  await eventually(
    () => messagesOf(hall),
    ({ length }) => length === 1,
  );
  expect(await stops(SHOP)).toBe(true);
  expect((await early).body).toMatchObject({ isOpen: false, answers: [] });
  const first = say(hall, "hold", { to: "/api/chat" });
  await provider.request(0);
  const second = say(hall, "second", { to: "/api/chat", channel: "other" });
  await eventually(
    async () => (await hall.call("GET", "/api/channels")).body.channels,
    (channels) => channels.length === 3,
  );
  expect((await hall.call("POST", "/api/chat/stop", { channel: "other" })).body.stopped).toBe(true);
  hold.open();
  expect((await second).body).toMatchObject({ isOpen: false, answers: [] });
  expect(textsOf((await first).body.answers)).toEqual(["You said: hold"]);
  expect(textsOf((await say(hall, "late")).body.answers)).toEqual(["You said: late"]);
  expect(provider.requests.map(lastLine)).toEqual(["hold", "late"]);
  expect(textsOf(await messagesOf(hall))).toEqual(["early", "late", "You said: late"]);
});

it("asks no model any more for what waited when everything is stopped, and says nothing of it", async () => {
  const { hall, provider } = await scriptedHall((seen) => (lastLine(seen) === "last" ? echo(seen) : { hang: true }));
  for (const text of ["one", "two", "three"]) {
    await say(hall, text, { wait: 0 });
    for (const channel of ["a", "b"]) await say(hall, text, { wait: 0, to: "/api/chat", channel });
  }
  await provider.request(1);
  await hall.call("POST", "/api/stop");
  expect(textsOf((await say(hall, "last", { to: "/api/chat", channel: "a" })).body.answers)).toEqual([
    "You said: last",
  ]);
  expect(provider.requests).toHaveLength(3);
  await eventually(
    () => hall.call("GET", SHOP),
    ({ body }) => !body.isBusy,
  );
  expect(textsOf(await messagesOf(hall))).toEqual(["one", "two", "three"]);
  expect(textsOf(await messagesOf(hall, "/api/chat?channel=b"))).toEqual(["one", "two", "three"]);
});

it("deals with what was left open in the order of its channel, although the clock went back and a file is none", async () => {
  const scripted = await scriptedHall(echo);
  await scripted.hall.stop();
  const { workspace } = scripted.hall;
  const line = (seq: number, at: string) =>
    `${JSON.stringify({ seq, id: `m-${seq}`, at, from: "person", to: "main", text: `word ${seq}`, root: `m-${seq}`, hops: 0 })}\n`;
  mkdirSync(join(workspace, "channels/http/folder.jsonl"), { recursive: true });
  mkdirSync(inShop(scripted.hall, "channel.jsonl"));
  writeFileSync(
    join(workspace, "channels/http/default.jsonl"),
    `${line(1, "2026-01-01T00:00:02.000Z")}${line(2, "2026-01-01T00:00:01.000Z")}`,
  );
  const next = await again(scripted);
  const said = await eventually(
    () => messagesOf(next, "/api/chat"),
    ({ length }) => length === 4,
  );
  expect(textsOf(said)).toEqual(["word 1", "word 2", "You said: word 1", "You said: word 2"]);
  expect((await say(next, "Hello")).body.error).toMatchObject({ code: "path_refused" });
});

it("waits for money where it can be seen, is left at once, and goes on when there is some [S3-START-04]", async () => {
  const budget = { runUsd: null, dayUsd: 0.000001 };
  const scripted = await scriptedHall(echo, { config: { models, budget } });
  const { hall, provider } = scripted;
  const chat = { wait: 0, to: "/api/chat" };
  await Promise.all([say(hall, "one", { wait: 0 }), say(hall, "two", chat)]);
  const untilWaiting = (at: Hall) =>
    Promise.all(
      [SHOP, "/api/chat"].map((place) =>
        eventually(
          async () => (await at.call("GET", place as typeof SHOP)).body,
          ({ isBusy, activity }) => isBusy && activity?.kind === "waiting" && activity.for === "budget",
        ),
      ),
    );
  await untilWaiting(hall);
  const started = performance.now();
  await hall.stop();
  expect(performance.now() - started).toBeLessThan(5_000);
  const next = await again(scripted);
  await untilWaiting(next);
  expect(provider.requests).toEqual([]);
  expect((await next.call("POST", "/api/chat/stop", {})).body.stopped).toBe(true);
  await next.call("PUT", "/api/budget", { dayUsd: 100 });
  const said = await eventually(
    () => messagesOf(next),
    ({ length }) => length === 2,
  );
  expect(textsOf(said)).toEqual(["one", "You said: one"]);
  expect(textsOf(await messagesOf(next, "/api/chat"))).toEqual(["two"]);
  const costs = (await next.call("GET", "/api/costs?by=project")).body;
  const { entries } = (await next.call("GET", "/api/projects/shop/session")).body;
  const answer = entries.find((entry) => entry.type === "answer");
  expect(answer?.costUsd).toBeGreaterThan(0);
  expect(costs.rows).toMatchObject([{ key: "shop", calls: 1, costUsd: answer?.costUsd }]);
});

it("is suspended when its process dies three times, keeps what was said, and answers it when it is resumed [S3-WT-01]", async () => {
  const hold = held();
  let isHeld = true;
  const { hall, provider } = await scriptedHall(async (seen) => {
    if (isHeld) await hold.opened;
    return echo(seen);
  });
  await say(hall, "first", { wait: 0 });
  for (let death = 0; death < 3; death++) {
    await provider.request(death);
    process.kill(projectProcess(hall.workspace), "SIGKILL");
    await untilNoProcess(hall.workspace);
  }
  const { project } = (
    await eventually(
      () => hall.call("GET", "/api/projects/shop"),
      ({ body }) => body.project.status === "suspended",
    )
  ).body;
  expect(project.status).toBe("suspended");
  const { problems } = (await hall.call("GET", "/api/problems")).body;
  expect(problems).toMatchObject([{ id: "shop", reason: expect.stringContaining("crashed 3 times") }]);
  expect(provider.requests).toHaveLength(3);
  isHeld = false;
  hold.open();
  await hall.call("POST", "/api/projects/shop/move", { status: "active" });
  const said = await eventually(
    () => messagesOf(hall),
    (all) => all.some(({ to }) => to === "person"),
  );
  expect(textsOf(said.filter(({ to }) => to !== "main"))).toEqual(["first", "You said: first"]);
  expect((await hall.call("DELETE", "/api/projects/shop?purge=true")).status).toBe(200);
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  expect(await messagesOf(hall)).toEqual([]);
  expect((await say(hall, "new")).body).toMatchObject({ message: { seq: 1 }, answers: [{ text: "You said: new" }] });
  expect(JSON.stringify(provider.requests.at(-1)?.body.messages)).not.toContain("first");
});

it("is not spoken to while its file is broken, and answers when it is mended; asks nobody while nothing is open", async () => {
  const hold = held();
  const scripted = await scriptedHall(
    async (seen) => {
      if (lastLine(seen) === "hold") await hold.opened;
      return echo(seen);
    },
    { config: { projects: { parkAfterMinutes: 1 / 60 } } },
  );
  const { hall, provider } = scripted;
  await say(hall, "hold", { wait: 0 });
  await provider.request(0);
  const path = inShop(hall, "PROJECT.md");
  const text = readFileSync(path, "utf8");
  await say(hall, "open", { wait: 0 });
  writeFileSync(path, "---\nname: [broken\n---\n");
  await eventually(
    () => hall.call("GET", "/api/problems"),
    ({ body }) => body.problems.length > 0,
  );
  process.kill(projectProcess(hall.workspace), "SIGKILL");
  hold.open();
  writeFileSync(path, text);
  const said = await eventually(
    () => messagesOf(hall),
    (all) => all.filter(({ to }) => to === "person").length === 2,
  );
  expect(textsOf(said.filter(({ to }) => to === "person"))).toEqual(["You said: hold", "You said: open"]);
  await untilNoProcess(hall.workspace);
  const asked = provider.requests.length;
  await hall.stop();
  const next = await again(scripted);
  expect((await next.call("GET", "/api/channels")).body.channels).toMatchObject([{ id: "shop", lastSeq: said.length }]);
  expect(projectProcesses(next.workspace)).toEqual([]);
  expect(provider.requests).toHaveLength(asked);
});

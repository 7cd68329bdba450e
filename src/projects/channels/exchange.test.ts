import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { ChannelMessage } from "../../contract/documents/channel.ts";
import { projectChannel } from "../../contract/documents/channel.ts";
import { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import { Files } from "../../store/files/files.ts";
import { Locks } from "../../workspace/locks.ts";
import { HallDesk } from "../hall-desk.ts";
import { ProjectAgents } from "../project-agents.ts";
import { Channels } from "./channels.ts";
import { Exchange, MOST_OF_ROOT } from "./exchange.ts";

const SHOP = projectChannel("shop");

/** Channels on disk, with nobody who answers but a desk for the process of the project `shop`. */
async function openExchange() {
  const files = new Files(temporaryFolder(), "private", "refused");
  await files.ensureFolder("projects/shop");
  const channels = new Channels({ files, clock: () => new Date(), onTrouble: () => undefined });
  const redact = (text: string) => text.replaceAll("hunter2", "[secret]");
  const exchange = new Exchange({ channels, redact, isListening: () => true });
  const told: TalkLive[] = [];
  channels.subscribe(SHOP, (live) => told.push(live));
  const hall = {
    projects: { get: () => ({ name: "Shop", model: "own/m", taskCount: {} }) },
    tasks: { list: () => ({ tasks: [] }) },
    knowledge: { index: () => "" },
    team: { list: () => [] },
  };
  const models = { settle: async () => undefined, defaultModel: () => "own/m", whyNot: () => undefined };
  const config = Config.parse({});
  const texts = { decisions: { text: () => "" }, greeting: async () => ({}) };
  const guard = { part: { guardsOf: () => undefined } };
  const part = { told: () => undefined, isWanted: () => true, turn: () => undefined, initiativeOf: () => undefined };
  const leading = { part: { ...part, noteRun: async () => undefined } };
  const desk = new HallDesk({ hall, config, models, exchange, spawns: {}, leading, guard, ...texts } as never);
  const locks = new Locks();
  const projects = new ProjectAgents({ core: { locks, projects: { status: () => undefined } }, exchange } as never);
  /** Until what agents said is dealt with. */
  const heard = () => locks.run("answers of shop", async () => undefined);
  const ask = (what: string, messageId: string | undefined, input: unknown, callId = "c") =>
    desk.questions()[what]?.answer(input, { projectId: "shop", messageId, callId });
  const say = (id: string, more: Partial<ChannelMessage> = {}) =>
    exchange.send(SHOP, { id, from: "person", to: "project", text: id, root: id, hops: 0, ...more });
  return { exchange, channels, told, desk, projects, ask, say, heard };
}

it("wakes nobody any more when too much came of one message of the person, and does again with the next", async () => {
  const { exchange, channels } = await openExchange();
  for (let at = 0; at < MOST_OF_ROOT + 20; at++)
    await exchange.send(SHOP, { id: `m-${at}`, from: "project", to: "main", text: "x", root: "one", hops: 1 });
  const awake = () =>
    channels
      .of(SHOP)
      .open("main")
      .filter(({ quiet }) => quiet !== true).length;
  expect([awake(), exchange.isSpent("one"), exchange.isSpent("two")]).toEqual([MOST_OF_ROOT, true, false]);
  await exchange.send(SHOP, { id: "n", from: "project", to: "main", text: "x", root: "two", hops: 1 });
  expect(awake()).toBe(MOST_OF_ROOT + 1);
});

it("a process asks for its agent only over a message that the agent has to answer", async () => {
  const { ask, say, exchange, channels } = await openExchange();
  const old = await say("old");
  await channels.of(SHOP).received("project", old, "answered");
  await say("hushed", { quiet: true });
  await say("not-mine", { from: "project", to: "main" });
  await say("now", { hops: 7, root: "first" });
  for (const what of ["notify", "spawn", "task_list", "brief"])
    for (const id of ["old", "hushed", "not-mine", "never", undefined])
      await expect(ask(what, id, { text: "x" }), `${what} ${id}`).rejects.toThrow(HallError);
  await ask("notify", "now", { text: "x" });
  const note = channels.of(SHOP).page({ limit: 1 })[0];
  expect(note).toMatchObject({ from: "project", to: "main", root: "first", hops: 8 });
  expect(exchange.isSpent("first")).toBe(false);
});

it("a process asks a model only for its agent's message, with the hall's settings, and not for ever", async () => {
  const { ask, say, desk, channels } = await openExchange();
  expect(() => desk.settingsFor("shop")).toThrow("no message to answer");
  const message = await say("now");
  await say("next");
  expect(() => desk.settingsFor("shop")).toThrow("no message to answer");
  await ask("brief", "now", {});
  const count = () => {
    let calls = 0;
    try {
      for (; calls < 1_000; calls++) expect(desk.settingsFor("shop")).toEqual({ model: "own/m", thinking: "low" });
    } catch (error) {
      expect(String(error)).toContain("for one message");
    }
    return calls;
  };
  expect(count()).toBe(120);
  await ask("brief", "now", {});
  expect(count()).toBe(0);
  await channels.of(SHOP).received("project", message, "answered");
  expect(() => desk.settingsFor("shop")).toThrow("no message to answer");
  await ask("brief", "next", {});
  expect(count()).toBe(120);
});

it("what those who watch are told has no secret, and is not without end", async () => {
  const { exchange, told, say } = await openExchange();
  const message = await say("now");
  exchange.does(SHOP, {
    messageId: "now",
    activity: { kind: "tool", name: "read", subject: `hunter2 ${"x".repeat(100_000)}` },
  });
  const end = { outcome: "failed" as const, error: "hunter2 was wrong" };
  await exchange.dealtWith({ address: SHOP, by: "project", message }, end);
  await exchange.send(SHOP, { id: "long", from: "project", to: "person", text: "y".repeat(2_000_000) });
  expect(JSON.stringify(told)).not.toContain("hunter2");
  expect(JSON.stringify(told).length).toBeLessThan(450_000);
});

it("no id of a channel leads to another file", async () => {
  const { channels } = await openExchange();
  for (const id of ["../x", "a/b", "", ".", "..", "A", "x".repeat(65), "../../projects/shop/channel"])
    expect(() => channels.of({ type: "cli", id }), id).toThrow(HallError);
});

it("a process does not deal with what was said to others", async () => {
  const { channels, projects, say, heard } = await openExchange();
  await say("mine");
  await say("for-main", { from: "project", to: "main" });
  projects.hear("shop", {
    type: "answered",
    orderId: "session",
    messageId: "for-main",
    outcome: "answered",
    text: "I was here",
  });
  await heard();
  await say("later");
  const file = channels.of(SHOP);
  expect(file.open("project").map(({ id }) => id)).toEqual(["mine", "later"]);
  expect(file.lastSeq).toBe(3);
});

const address = { type: "http" as const, id: "default" };

function exchange() {
  const channels = new Channels({
    files: new Files(temporaryFolder()),
    clock: () => new Date(),
    onTrouble: () => undefined,
  });
  return new Exchange({ channels, redact: (text) => text, isListening: () => true });
}

it("wants no answer from the moment a message is given up, and says none that comes all the same", async () => {
  const talk = exchange();
  const say = (id: string) => talk.send(address, { id, from: "person", to: "main", text: id });
  const [first, second] = [await say("first"), await say("second")];
  const wanted = () => ["first", "second"].map((id) => talk.isWanted(address, "main", id));
  expect(wanted()).toEqual([true, true]);
  talk.giveUp(address, [first.id, second.id]);
  expect(wanted()).toEqual([false, false]);
  const late = { id: "late", from: "main" as const, to: "person" as const, text: "Too late." };
  for (const message of [first, second]) {
    const of = { address, by: "main" as const, message };
    await Promise.all([
      talk.dealtWith(of, { outcome: "stopped" }),
      talk.dealtWith(of, { outcome: "failed", answer: { ...late, id: `late-${message.id}` } }),
    ]);
  }
  await talk.dealtWith({ address, by: "main", message: first }, { outcome: "answered", answer: late });
  expect(
    talk.channels
      .of(address)
      .page({ limit: 10 })
      .map(({ text }) => text),
  ).toEqual(["first", "second"]);
  const third = await say("third");
  await talk.dealtWith({ address, by: "main", message: third }, { outcome: "answered", answer: late });
  expect(talk.channels.of(address).find("late")?.text).toBe("Too late.");
});

async function bench(...ids: string[]) {
  const files = new Files(temporaryFolder());
  mkdirSync(join(files.root, "projects/shop"), { recursive: true });
  const onTrouble = () => undefined;
  const channels = new Channels({ files, clock: () => new Date(), onTrouble });
  const exchange = new Exchange({ channels, redact: (text) => text, isListening: () => true });
  const said: ChannelMessage[] = [];
  for (const id of ids) said.push(await exchange.send(SHOP, { id, from: "person", to: "project", text: id }));
  const answer = (at: number) => {
    const message = said[at];
    if (message === undefined) throw new Error("no such message");
    const draft = { id: `answer-${message.id}`, from: "project", to: "person", text: `to ${message.id}` } as const;
    return exchange.dealtWith({ address: SHOP, by: "project", message }, { outcome: "answered", answer: draft });
  };
  const texts = () =>
    channels
      .of(SHOP)
      .page({ limit: 10 })
      .map(({ text }) => text);
  return { root: files.root, channels, exchange, answer, texts };
}

it("does not take the answer to a later message for that to an earlier one which could not be kept", async () => {
  const { root, channels, answer, texts } = await bench("one", "two");
  const file = join(root, "projects/shop/channel.jsonl");
  rmSync(file);
  mkdirSync(file);
  await expect(answer(0)).rejects.toMatchObject({ code: "path_refused" });
  rmSync(file, { recursive: true });
  await expect(answer(1)).rejects.toThrow("Message 'one' comes before 'two'");
  await answer(0);
  await answer(1);
  await answer(0);
  expect(texts()).toEqual(["one", "two", "to one", "to two"]);
  expect(channels.of(SHOP).open("project")).toEqual([]);
});

it("writes the receipt after the answer: a crash in between loses no answer", async () => {
  const { root, answer } = await bench("one");
  await answer(0);
  const lines = readFileSync(join(root, "projects/shop/channel.jsonl"), "utf8").trim().split("\n");
  const kinds = lines.map((line) => JSON.parse(line)).map(({ id, received }) => id ?? `receipt of ${received}`);
  expect(kinds).toEqual(["one", "answer-one", "receipt of 1"]);
});

it("writes no secret into a channel, whoever says it", async () => {
  const { say, channels } = await openExchange();
  await say("one", { text: "the password is hunter2" });
  await say("two", { from: "project", to: "main", text: "hunter2 it is" });
  expect([channels.of(SHOP).find("one")?.text, channels.of(SHOP).find("two")?.text]).toEqual([
    "the password is [secret]",
    "[secret] it is",
  ]);
});

it("is not at work any more on what was dealt with by somebody else", async () => {
  const { exchange, answer, texts } = await bench("one");
  exchange.giveUp(SHOP, ["one"]);
  expect(exchange.isWanted(SHOP, "project", "one")).toBe(false);
  await answer(0);
  exchange.does(SHOP, { messageId: "one", activity: { kind: "thinking" } });
  await answer(0);
  expect(exchange.doing(SHOP)).toBeUndefined();
  expect(texts()).toEqual(["one"]);
});

it("keeps in memory no more channels than are used", async () => {
  const { channels } = await bench("one");
  for (let at = 0; at < 500; at++) expect(channels.of({ type: "http", id: `c-${at}` }).lastSeq).toBe(0);
  expect(channels.loaded().length).toBeLessThan(200);
  expect(channels.loaded().map(({ address }) => address.id)).toContain("shop");
});

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { filesBelow } from "../harness/look-below.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import type { Script, SeenRequest } from "../harness/scripted-provider.ts";
import { BOT_TOKEN, OWNER, startTelegram, type TelegramServer, updateOf } from "../harness/telegram-api.ts";

const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");
const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN };
const settings = (telegram: TelegramServer, more: object = {}) => ({
  channels: { telegram: { owners: [OWNER], apiUrl: telegram.url, ...more } },
});
const heard = (telegram: TelegramServer, count: number) =>
  eventually(
    () => telegram.sent(),
    (sent) => sent.length >= count,
  );
const confirmed = (telegram: TelegramServer) =>
  eventually(
    () => telegram.waiting().length,
    (count) => count === 0,
  );

async function hallWith(script: Script, more: object = {}, log: (entry: object) => void = () => undefined) {
  const telegram = await startTelegram();
  const scripted = await scriptedHall(script, { config: settings(telegram, more), env, log });
  return { telegram, ...scripted };
}

async function problems(hall: Hall): Promise<string> {
  const { body } = await hall.call("GET", "/api/problems");
  return body.problems.map(({ reason }: { reason: string }) => reason).join("\n");
}

it("speaks with the owner over Telegram while other channels go on, each answer in its own [S3-CA-10, S3-CA-11]", async () => {
  const { telegram, hall } = await hallWith((seen) => {
    if (!isMain(seen)) return { text: "Two tasks are open." };
    if (seen.text.includes("Two tasks are open."))
      return {
        calls: [{ name: "reply", input: { channelType: "telegram", channelId: `${OWNER}`, text: "Two are open." } }],
      };
    if (seen.text.includes("from the desk")) return { text: "Hello desk." };
    if (seen.text.includes("How is the shop?"))
      return { calls: [{ name: "reply", input: { channelType: "project", channelId: "shop", text: "Status?" } }] };
    return { text: "" };
  });
  telegram.write("How is the shop?");
  const desk = await commandLine(["chat", "Hello from the desk"], { workspace: hall.workspace });
  expect(desk).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello desk.") });
  expect(await heard(telegram, 1)).toEqual(["Two are open."]);
  const actions = telegram.calls.filter(({ method }) => method === "sendChatAction");
  expect(actions[0]?.params).toEqual({ chat_id: OWNER, action: "typing" });
  telegram.write("/status");
  telegram.write("/stop");
  telegram.write("", { text: undefined, photo: [{}], caption: "look" });
  const sent = await heard(telegram, 4);
  expect(sent[1]).toContain("1 project,");
  expect(sent.slice(2)).toEqual(["No answer in progress.", "I can only read text messages."]);
  const { body: chat } = await hall.call("GET", `/api/chat?type=telegram&channel=${OWNER}`);
  expect(chat.messages[0]).toMatchObject({ from: "person", text: "How is the shop?" });
  expect(chat.messages[1]).toMatchObject({ from: "main", to: "person", text: "Two are open." });
});

it("says once what is said with the tool and ends without further words", async () => {
  const { telegram } = await hallWith((seen) => {
    const reply = { channelType: "telegram", channelId: `${OWNER}`, text: "With the tool." };
    if (seen.text.includes("Second?")) return { text: "Second." };
    return seen.results.length > 0 ? { text: "I have told them." } : { calls: [{ name: "reply", input: reply }] };
  });
  telegram.write("First?");
  await heard(telegram, 1);
  telegram.write("Second?");
  expect(await heard(telegram, 2)).toEqual(["With the tool.", "Second."]);
});

it("stops an answer when the owner says so", async () => {
  const { telegram, provider } = await hallWith(() => ({ hang: true }));
  telegram.write("Take your time");
  const asked = await provider.request(0);
  telegram.write("/stop");
  expect(await heard(telegram, 1)).toEqual(["Answer stopped."]);
  expect(await asked.ended).toBe("aborted");
});

it("hears nobody but the owner in a chat with the bot alone, and asks no model for others", async () => {
  const logged: string[] = [];
  const { telegram, hall, provider } = await hallWith(
    () => ({ text: "Yes." }),
    {},
    (entry) => {
      logged.push(JSON.stringify(entry));
    },
  );
  const stranger = { id: 66_600_066, is_bot: false };
  telegram.write("Let me in", { from: stranger, chat: { id: stranger.id, type: "private" } });
  telegram.write("Let me in again", { from: stranger, chat: { id: stranger.id, type: "private" } });
  telegram.write("In a group", { chat: { id: -100_500, type: "supergroup" } });
  telegram.write("As a channel", { sender_chat: { id: -100_501, type: "channel" } });
  telegram.write("In the name of", { chat: { id: stranger.id, type: "private" } });
  telegram.write("As a bot", { from: { id: OWNER, is_bot: true } });
  telegram.push({ update_id: 900_000_100, edited_message: { text: "Changed", from: { id: OWNER } } });
  telegram.push(updateOf(900_000_101, { pinned_message: { text: "pinned" } }));
  await confirmed(telegram);
  expect(provider.requests).toHaveLength(0);
  expect(existsSync(join(hall.workspace, "channels/telegram"))).toBe(false);
  expect(telegram.calls.filter(({ method }) => method === "sendMessage")).toEqual([]);
  expect(await problems(hall)).toMatch(/2 messages to the Telegram bot from non-owners .* user 66600066 /);
  expect(logged.filter((line) => line.includes("user 66600066"))).toHaveLength(1);
  expect(logged.join()).not.toContain("Let me in");
});

it("stays whole whatever comes: wrong types, missing fields, huge texts and thousands at once", async () => {
  const { telegram, hall, provider } = await hallWith(({ text }) => ({
    text: text.includes("Are you there?") ? "Still here." : "What?",
  }));
  const odd = [null, 7, [], { from: null }, { chat: { id: "x" } }, { text: 5 }, { text: ["a"] }, { text: "\0 \ud800" }];
  const from = { id: 5, is_bot: false };
  telegram.play(({ method, params }) =>
    method === "getUpdates" && params.offset === undefined && telegram.waiting().length > 0
      ? { body: JSON.stringify({ ok: true, result: telegram.waiting() }) }
      : undefined,
  );
  telegram.push(
    ...[null, 7, "text", [], {}, { update_id: "1" }, { update_id: -5 }, { update_id: 1.5, message: {} }],
    ...odd.map((message, at) => ({ update_id: 100 + at, message })),
    ...odd.slice(3).map((message, at) => updateOf(200 + at, message as object)),
    updateOf(300, { text: "x".repeat(200_000) }),
    ...Array.from({ length: 10_000 }, (_, at) => updateOf(1_000 + at, { text: `No ${at}`, from })),
  );
  await confirmed(telegram);
  telegram.write("Are you there?");
  expect(await heard(telegram, 3)).toEqual(["I can only read text messages.", "What?", "Still here."]);
  expect(provider.requests).toHaveLength(2);
  expect(await problems(hall)).toMatch(/10000 messages to the Telegram bot/);
});

it("shows the token nowhere: not in files, logs, answers or to the model, though Telegram itself quotes it", async () => {
  const logged: string[] = [];
  const telegram = await startTelegram();
  const script: Script = ({ text }) => (text.includes("token") ? { text: `It is ${BOT_TOKEN}.` } : { text: "" });
  const config = settings(telegram, { botTokenEnv: "MY_HOUSE_BOT" });
  const { hall, provider } = await scriptedHall(script, {
    config,
    env: { MY_HOUSE_BOT: BOT_TOKEN },
    log: (entry) => logged.push(JSON.stringify(entry)),
  });
  telegram.play(({ method }, number) =>
    method === "sendMessage" && number === 0
      ? { status: 403, description: `Forbidden: https://api.telegram.org/bot${BOT_TOKEN}/sendMessage` }
      : undefined,
  );
  telegram.write(`Is the token bot${BOT_TOKEN} or ${encodeURIComponent(BOT_TOKEN)}?`);
  await eventually(
    () => problems(hall),
    (reasons) => reasons.includes("dropped"),
  );
  telegram.write("Once more: the token");
  await heard(telegram, 1);
  await telegram.close();
  const answers = await Promise.all(
    ["/api/problems", "/api/status", `/api/chat?type=telegram&channel=${OWNER}`, "/api/events/log?tail=1000"].map(
      async (path) => JSON.stringify((await hall.call("GET", path)).body),
    ),
  );
  const files = filesBelow(hall.workspace).map(({ bytes }) => bytes.toString("latin1"));
  const asked = provider.requests.map(({ body }) => JSON.stringify(body));
  for (const text of [...logged, ...answers, ...files, ...asked, ...telegram.sent()])
    expect(text.includes("KANARIE"), text.slice(0, 300)).toBe(false);
  expect(logged.join()).toContain("[secret");
});

it("sends after a restart what could not be sent, in order, and nothing that has a receipt", async () => {
  const { telegram, hall } = await hallWith(({ text }) => ({ text: /Say \d/.exec(text)?.[0] ?? "" }));
  telegram.write("/help");
  await heard(telegram, 1);
  telegram.play(({ method }) => (method === "sendMessage" ? { status: 502 } : undefined));
  for (const number of [1, 2]) telegram.write(`/nothing${"abc".charAt(number)}`);
  await eventually(
    async () => (await hall.call("GET", `/api/chat?type=telegram&channel=${OWNER}`)).body.messages.length,
    (count) => count === 6,
  );
  const began = performance.now();
  await hall.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  telegram.play(() => undefined);
  const again = await startHall(hall.workspace, { env: { ...env, SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
  const sent = await heard(telegram, 3);
  expect(sent.map((text) => text.slice(0, 30))).toEqual([
    "Type a message for the agent. ",
    "Unknown command '/nothingb'.\n\n",
    "Unknown command '/nothingc'.\n\n",
  ]);
  await again.stop();
  await startHall(hall.workspace, { env: { ...env, SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
  telegram.write("/projects");
  await heard(telegram, 4);
  expect(telegram.sent()).toHaveLength(4);
});

it("says what is missing: the token, the owners, or that another program takes the messages", async () => {
  const telegram = await startTelegram();
  const hall = await startHall(undefined, { config: settings(telegram) });
  expect(await problems(hall)).toContain("channels.telegram needs TELEGRAM_BOT_TOKEN");
  await hall.stop();
  expect(telegram.calls).toEqual([]);
  writeFileSync(join(hall.workspace, ".guildhall/secrets"), `TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\n`, { mode: 0o600 });
  telegram.play(({ method }) => (method === "getUpdates" ? { status: 409, description: "Conflict" } : undefined));
  const again = await startHall(hall.workspace, { config: settings(telegram, { owners: [] }) });
  expect(await problems(again)).toContain("channels.telegram.owners is empty");
  await eventually(
    () => problems(again),
    (reasons) => reasons.includes("another program receives this bot's messages"),
  );
  expect(telegram.calls.filter(({ method }) => method === "getUpdates")).toHaveLength(1);
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, eventually, type Hall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { Script, SeenRequest } from "../harness/scripted-provider.ts";
import { spawnRun, untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import { BOT_TOKEN, OWNER, startTelegram, type TelegramServer } from "../harness/telegram-api.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { isSigned, type Receiver, startReceiver } from "../harness/webhook-receiver.ts";

const SECRET = "a-secret-that-nobody-else-knows";
const CLIENT = "client-token-0123456789abcdef";
const later = afterAllTests();
const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");

let telegram: TelegramServer;
let receiver: Receiver;
let hall: Hall;
let script: Extract<Script, (...given: never[]) => unknown> = () => ({ text: "Well." });

beforeAll(async () => {
  telegram = await startTelegram(0, later);
  receiver = await startReceiver(0, later);
  const config = {
    channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
    notify: { url: receiver.url, secretEnv: "HOOK_SECRET" },
    server: { publicUrl: "https://hall.example.org" },
  };
  const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, HOOK_SECRET: SECRET };
  const scripted = await scriptedHall((seen) => script(seen), { config, env, clients: { tool: CLIENT }, later });
  hall = scripted.hall;
});
const REDIS = [
  { label: "Redis", description: "Persistent" },
  { label: "Memcached", description: "Simpler" },
];

async function ask(question: string, more: object = {}): Promise<string> {
  const body = { type: "decision", question, suggestedAnswers: REDIS, projectId: "shop", ...more };
  const asked = await hall.call("POST", "/api/escalations", body);
  expect(asked.status).toBe(201);
  const { id = "", status } = asked.body.escalation ?? {};
  if (status === "draft") await hall.call("POST", `/api/escalations/${id}/promote`, {});
  return id;
}
const get = async (id: string) => (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
/** The message in Telegram that shows a question with its buttons. */
const shown = (id: string) =>
  eventually(
    () => telegram.keyboards().find(({ text, buttons }) => text.includes(`${id} · `) && buttons.length > 3),
    (message) => message !== undefined,
  );
const closed = (words: string) =>
  eventually(
    () => telegram.calls.filter(({ method }) => method === "editMessageText").map(({ params }) => params),
    (edits) => edits.some(({ text }) => text.includes(words)),
  );
const hooks = (event: string, id: string) =>
  eventually(
    () =>
      receiver.received.filter(
        ({ body }) => body.event === event && body.escalations.some((one: { id: string }) => one.id === id),
      ),
    (found) => found.length > 0,
  );
const say = (text: string) => hall.call("POST", "/api/chat?wait=20", { text });
const texts = ({ body }: Answer<{ answers: { text: string }[] }>) => body.answers.map(({ text }) => text);

describe("a question that waits for the person", () => {
  it("is a message with buttons and a signed notification; a press answers it and is shown [S4-ESC-14, S4-GOAL-03]", async () => {
    const id = await ask("Redis or Memcached for the blacklist? 🦊", { blocksTask: undefined });
    const message = await shown(id);
    expect(message?.text).toMatch(new RegExp(`^${id} · shop · decision, medium priority\n> Redis or Memcached .*🦊`));
    expect(message?.buttons.map(({ text }) => text)).toEqual([
      ...["1. Redis", "2. Memcached", "Snooze 1 hour", "Snooze 1 day", "Open"],
    ]);
    expect(message?.buttons.at(-1)?.data).toBe(`https://hall.example.org/inbox?id=${id}`);
    const [pending] = await hooks("escalation.pending", id);
    expect(pending && isSigned(pending, SECRET)).toBe(true);
    expect(pending?.body).toMatchObject({
      event: "escalation.pending",
      project: "shop",
      total: 1,
      escalations: [{ id, suggestedAnswers: REDIS, link: `https://hall.example.org/inbox?id=${id}` }],
    });
    telegram.press(message?.messageId ?? 0, message?.buttons[1]?.data ?? "");
    await closed("Answered: Memcached");
    expect(await get(id)).toMatchObject({
      status: "resolved",
      outcome: "answered",
      answer: "Memcached",
      resolvedBy: "person",
      reminders: 1,
    });
    const [resolved] = await hooks("escalation.resolved", id);
    expect(resolved?.body).toMatchObject({
      status: "answered",
      saidBy: "person",
      escalations: [{ answer: "Memcached" }],
    });
    // A second press, and one that is sent again, change nothing.
    telegram.press(message?.messageId ?? 0, message?.buttons[0]?.data ?? "");
    const toast = await eventually(
      () => telegram.calls.filter(({ method }) => method === "answerCallbackQuery").at(-1)?.params.text,
      (text) => text !== undefined && !text.startsWith("Recorded"),
    );
    expect(toast).toContain("Memcached");
    expect((await get(id)).answer).toBe("Memcached");
  });

  it("is answered by a reply, whose words are said back", async () => {
    const id = await ask("Which region?");
    const message = await shown(id);
    telegram.write("Frankfurt, because of the law", { reply_to_message: { message_id: message?.messageId } });
    await closed("Answered: Frankfurt, because of the law");
    expect(await get(id)).toMatchObject({ answer: null, resolution: "Frankfurt, because of the law" });
    const sent = await eventually(
      () => telegram.sent(),
      (all) => all.includes(`Recorded for ${id}: Frankfurt, because of the law`),
    );
    expect(sent).toContain(`Recorded for ${id}: Frankfurt, because of the law`);
  });

  it("has one answer when two come at once; the other one sees it", async () => {
    const id = await ask("Which queue?");
    const message = await shown(id);
    telegram.press(message?.messageId ?? 0, message?.buttons[0]?.data ?? "");
    const over = await hall.call("POST", `/api/escalations/${id}/resolve`, { answer: "Memcached" });
    await closed("Which queue?");
    const { answer } = await get(id);
    expect(answer).toBe(over.status === 200 ? "Memcached" : "Redis");
    if (over.status !== 200)
      expect(over).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining("Redis") } } });
    const [edit] = (await closed("Which queue?")).filter(({ text }) => text.includes("Which queue?"));
    expect(edit.text).toContain(`Answered: ${answer}`);
    expect(edit).not.toHaveProperty("reply_markup");
  });

  it("is one of several in one summary, and is shown on demand", async () => {
    const before = telegram.sent().length;
    const ids = await Promise.all(["Which font?", "Which bank?", "Which logo?"].map((question) => ask(question)));
    const sent = await eventually(
      () => telegram.sent().slice(before),
      (all) => all.length > 0,
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^3 decisions are waiting for you\.\n\n1\. esc-/);
    const summary = telegram.keyboards().find(({ text }) => text.startsWith("3 decisions"));
    telegram.press(summary?.messageId ?? 0, summary?.buttons[1]?.data ?? "");
    const second = /2\. (esc-\d+)/.exec(sent[0] ?? "")?.[1] ?? "";
    const message = await shown(second);
    telegram.press(message?.messageId ?? 0, message?.buttons[2]?.data ?? "");
    const { snoozedUntil } = await eventually(
      () => get(second),
      (one) => one.snoozedUntil !== undefined,
    );
    expect(Date.parse(snoozedUntil ?? "")).toBeGreaterThan(Date.now() + 3_500_000);
    for (const id of ids) await hall.call("POST", `/api/escalations/${id}/dismiss`, { reason: "Not now." });
    await closed("All answered.");
  });
});

it("a default is stated with a question only, and never with what the person has to decide", async () => {
  const given = { fallback: { answer: "Redis", afterHours: 4 } };
  const [question, decision] = [await ask("Which store?", { type: "question", ...given }), await ask("Pay it?", given)];
  const { expires, createdAt } = await get(question);
  expect(expires).toEqual({ at: new Date(Date.parse(createdAt) + 4 * 3_600_000).toISOString(), answer: "Redis" });
  expect(await get(decision)).not.toHaveProperty("expires");
  for (const id of [question, decision]) await hall.call("POST", `/api/escalations/${id}/dismiss`, { reason: "No." });
});

describe("/inbox and /answer", () => {
  it("list and answer without a model, for the person only", async () => {
    const id = await ask("Which license?");
    expect(texts(await say("/inbox"))[0]).toMatch(new RegExp(`^1 decision is waiting for you\\.\n\n1\\. ${id} `));
    expect(texts(await say("/answer"))[0]).toMatch(/^Usage: /);
    const asClient = await hall.call(
      "POST",
      "/api/chat?wait=20",
      { text: `/answer ${id} Redis` },
      { authorization: `Bearer ${CLIENT}` },
    );
    expect(texts(asClient)[0]).toMatch(/^Only you can answer/);
    expect((await get(id)).status).toBe("pending");
    expect(texts(await say(`/answer ${id} memcached`))).toEqual([`Recorded for ${id}: Memcached`]);
    expect(texts(await say(`/answer ${id} Redis`))[0]).toContain("Memcached");
    expect(texts(await say("/answer esc-999 Redis"))[0]).toContain("esc-999");
    expect(texts(await say("/inbox"))).toEqual(["No decisions are waiting for you."]);
  });
});

it("a request for permission is answered with a button, or in chat with one of its five words and nothing else", async () => {
  const turns = [{ calls: [{ tool: "list", input: { path: "." } }] }, { text: "Done." }];
  writePlaybook(hall.workspace, "looks", JSON.stringify({ turns }));
  await hall.call("POST", "/api/roles", { id: "looker", name: "Looker", skills: ["list"], ask: ["list"] });
  const waiting = async () => {
    const run = await spawnRun(hall, "looks", "Look", { roleId: "looker" });
    return { run, id: (await pendingOf(hall, run)).id };
  };
  const first = await waiting();
  const message = await shown(first.id);
  expect(message?.text).toContain('> Call list {"path":"."}?');
  expect(message?.buttons.slice(0, 5).map(({ text }) => text)).toEqual([
    ...["1. once", "2. run", "3. hour", "4. always", "5. no"],
  ]);
  telegram.press(message?.messageId ?? 0, message?.buttons[0]?.data ?? "");
  await closed("Answered: once");
  expect((await untilOver(hall, first.run)).status).toBe("completed");
  const second = await waiting();
  expect(texts(await say(`/answer ${second.id} sure, go on`))[0]).toContain(
    "must be one of once, run, hour, always, no",
  );
  expect((await get(second.id)).status).toBe("pending");
  expect(texts(await say(`/answer ${second.id} no`))).toEqual([`Recorded for ${second.id}: no`]);
  expect((await untilOver(hall, second.run)).status).toBe("completed");
});

describe("answers in words", () => {
  const propose = (answers: object[]) => ({ calls: [{ name: "answer_escalations", input: { answers } }] });
  const proposalIn = ({ results }: SeenRequest) => /proposal-\w+/.exec(results.at(-1)?.output ?? "")?.[0];

  it("are shown by the hall, and recorded after the person's yes", async () => {
    const [first, second] = [
      await ask("Ship on Friday?", { suggestedAnswers: [{ label: "Yes" }, { label: "No" }] }),
      await ask("Who collects the money?"),
    ];
    let proposal: string | undefined;
    script = (seen) => {
      if (!isMain(seen)) return { text: "Well." };
      proposal = proposalIn(seen) ?? proposal;
      if (seen.text.includes("What is open?"))
        return seen.results.length === 0
          ? { calls: [{ name: "list_escalations", input: {} }] }
          : { text: seen.results[0]?.output ?? "" };
      if (seen.text.includes("yes to the first"))
        return seen.results.length === 0
          ? propose([
              { id: first, answer: "yes" },
              { id: second, resolution: "Stripe" },
            ])
          : { text: "" };
      const confirm = { calls: [{ name: "confirm_answers", input: { proposalId: proposal } }] };
      return seen.results.length === 0 ? confirm : { text: seen.results.at(-1)?.output ?? "" };
    };
    expect(texts(await say("What is open?"))[0]).toContain(`1. ${first}`);
    const [told] = texts(await say("yes to the first, Stripe for the second"));
    expect(told).toBe(
      `This will be recorded as your answers:\n\n1. ${first}: Yes\n2. ${second}: Stripe\n\nReply "yes" to record them.`,
    );
    expect((await get(first)).status).toBe("pending");
    expect(texts(await say("Yes, please!"))).toEqual([`Recorded for ${first}: Yes\nRecorded for ${second}: Stripe`]);
    expect(await get(second)).toMatchObject({ resolution: "Stripe", resolvedBy: "person" });
  });

  it("are not recorded by anything but a plain yes in the next message of the person there", async () => {
    const id = await ask("Drop the table?", { suggestedAnswers: [{ label: "Yes" }] });
    let proposal: string | undefined;
    const outputs: string[] = [];
    script = (seen) => {
      if (!isMain(seen)) {
        const notify = { calls: [{ name: "notify", input: { text: `yes ${id}` } }] };
        return seen.results.length === 0 ? notify : { text: "Done." };
      }
      proposal = proposalIn(seen) ?? proposal;
      if (seen.results.length > 0) {
        outputs.push(...seen.results.map(({ output }) => output));
        return { text: "Tried." };
      }
      const calls = [
        ...(seen.text.includes("Propose") ? propose([{ id, answer: "Yes" }]).calls : []),
        { name: "confirm_answers", input: { proposalId: proposal ?? "proposal-00000000" } },
        ...(seen.text.includes(`yes ${id}`) ? propose([{ id, answer: "Yes" }]).calls : []),
      ];
      return { calls };
    };
    await say("Propose it");
    await hall.call("POST", "/api/chat?wait=20", { text: "yes", channel: "other" });
    await hall.call("POST", "/api/chat?wait=20", { text: "yes" }, { authorization: `Bearer ${CLIENT}` });
    await say("Propose it");
    await say("Yes, but not before Monday");
    await say("Yes");
    await say("Propose it");
    await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Tell the main agent." });
    await eventually(
      () => outputs.length,
      (count) => count >= 10,
    );
    expect(outputs.filter((output) => output.includes("Recorded"))).toEqual([]);
    expect(outputs.filter((output) => output.includes("You can't answer")).length).toBeGreaterThanOrEqual(7);
    expect((await get(id)).status).toBe("pending");
    await hall.call("POST", `/api/escalations/${id}/dismiss`, { reason: "Never." });
  });
});

it("keeps what it has to remember in files that no secret is in", () => {
  for (const name of ["reach", "telegram", "proposals"]) {
    const path = join(hall.workspace, `state/${name}.json`);
    expect([name, existsSync(path)]).toEqual([name, true]);
    expect(readFileSync(path, "utf8")).not.toContain(BOT_TOKEN);
  }
});

import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../../../test/harness/daemon.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../../../test/harness/telegram-api.ts";
import { Files } from "../../store/files/files.ts";
import { Telegram } from "../telegram/telegram.ts";
import { TelegramApi } from "../telegram/telegram-api.ts";
import { TelegramNotes } from "../telegram/telegram-notes.ts";
import { Channels } from "./channels.ts";
import { Exchange } from "./exchange.ts";
import { PersonDeliveries } from "./person-deliveries.ts";

const OTHER = 42_000_002;
const GONE = 42_000_003;
const pace = { retry: { firstMs: 5, longestMs: 20 } };
const clock = () => new Date();

async function deliveries(folder = temporaryFolder()) {
  const telegram = await startTelegram();
  const troubles: string[] = [];
  const onTrouble = (what: string, error: unknown) => void troubles.push(`${what}: ${error}`);
  const files = new Files(folder);
  const channels = new Channels({ files, clock, onTrouble });
  const exchange = new Exchange({ channels, redact: (text) => text, isListening: () => true });
  const nobody = async () => {
    throw new Error("nobody speaks");
  };
  const channel = new Telegram({
    settings: { owners: [OWNER, OTHER] },
    api: new TelegramApi({ apiUrl: telegram.url, token: BOT_TOKEN }),
    channels,
    talk: () => ({ say: nobody, answer: nobody, tell: nobody }),
    notes: new TelegramNotes(files),
    questions: () => nobody() as never,
    clock,
    onTrouble,
  });
  const ways = { cli: "read", http: "read", project: "read", telegram: channel } as const;
  const person = new PersonDeliveries({ channels, ways, clock, random: () => 0.5, onTrouble, pace });
  exchange.attach("person", person);
  person.start();
  onTestFinished(() => person.close());
  let number = 0;
  const say = (text: string, chat = OWNER) =>
    exchange.send({ type: "telegram", id: `${chat}` }, { id: `m${++number}`, from: "main", to: "person", text });
  const file = (chat = OWNER) => channels.of({ type: "telegram", id: `${chat}` });
  const done = (chat = OWNER) =>
    eventually(
      () => file(chat).open("person").length,
      (count) => count === 0,
    );
  const reasons = () => person.problems().map(({ reason }) => reason);
  return { telegram, reasons, say, file, done, troubles, exchange, folder };
}

describe("what is said to the person over Telegram", () => {
  it("comes in the order of its chat, and chats do not wait for each other", async () => {
    const { telegram, reasons, say, done } = await deliveries();
    telegram.play(({ method, params }, number) =>
      method === "sendMessage" && params.chat_id === OWNER && number < 6 ? { status: 500 } : undefined,
    );
    for (const text of ["one", "two", "three"]) await say(text);
    await say("other", OTHER);
    await done(OTHER);
    await eventually(
      () => reasons().join(),
      (words) => /telegram\/\d+: 3 messages pending since .*: Telegram answered 500/.test(words),
    );
    telegram.play(() => undefined);
    await done();
    expect(telegram.sent()).toEqual(["one", "two", "three"]);
    expect(telegram.sent(OTHER)).toEqual(["other"]);
    expect(reasons()).toEqual([]);
  });

  it("waits as long as Telegram asks for, and goes on with the part that was refused", async () => {
    const { telegram, say, done } = await deliveries();
    telegram.play(({ method }, number) =>
      method === "sendMessage" && number === 1
        ? { status: 429, description: "Too Many Requests", parameters: { retry_after: 1 } }
        : undefined,
    );
    await say(`${"a".repeat(4_000)}\n\n${"b".repeat(4_000)}\n\nend`);
    await done();
    const sends = telegram.calls.filter(({ method }) => method === "sendMessage");
    expect(sends.map(({ params }) => params.text.slice(0, 1))).toEqual(["a", "b", "b"]);
    expect((sends[2]?.at ?? 0) - (sends[1]?.at ?? 0)).toBeGreaterThan(990);
    expect(telegram.sent()[1]).toBe(`${"b".repeat(4_000)}\n\nend`);
    expect(sends[0]?.params).toEqual({
      chat_id: OWNER,
      text: "a".repeat(4_000),
      link_preview_options: { is_disabled: true },
    });
  });

  it.each([400, 403])("is given up when it is refused with %d, and what follows is sent", async (status) => {
    const { telegram, reasons, say, done, troubles } = await deliveries();
    telegram.play(({ params }) =>
      params.text === "bad" ? { status, description: "Bad Request: chat not found" } : undefined,
    );
    await say("bad");
    await done();
    expect(reasons()).toEqual([expect.stringMatching(/1 message dropped.*chat not found$/)]);
    expect(troubles).toHaveLength(1);
    await say("good");
    await done();
    expect(telegram.sent()).toEqual(["good"]);
    expect(reasons()).toEqual([]);
  });

  it("goes to nobody who is no owner any more", async () => {
    const { telegram, reasons, say, done } = await deliveries();
    await say("secret", GONE);
    await done(GONE);
    expect(telegram.sent(GONE)).toEqual([]);
    expect(reasons().join()).toContain(`user ${GONE} is not among channels.telegram.owners`);
  });

  it("is not lost by a token that is refused, a broken connection or an answer of no form", async () => {
    const { telegram, say, done } = await deliveries();
    const replies = [{ status: 401 }, "break", { body: "<html>" }, { body: "<html>", status: 504 }] as const;
    telegram.play(({ method }, number) => (method === "sendMessage" ? replies[number] : undefined));
    await say("in the end");
    await done();
    expect(telegram.sent()).toEqual(["in the end"]);
  });

  it("needs nobody to bring it where the person reads", async () => {
    const { telegram, exchange } = await deliveries();
    await exchange.send({ type: "http", id: "default" }, { id: "h", from: "main", to: "person", text: "read me" });
    expect(telegram.calls.filter(({ method }) => method === "sendMessage")).toEqual([]);
  });
});

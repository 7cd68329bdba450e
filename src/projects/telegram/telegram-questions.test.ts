import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/harness/daemon.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../../../test/harness/telegram-api.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "../../store/files/files.ts";
import { Channels } from "../channels/channels.ts";
import { Exchange } from "../channels/exchange.ts";
import { PersonDeliveries } from "../channels/person-deliveries.ts";
import type { AnswerDesk, ShownQuestion } from "../questions.ts";
import { Telegram } from "./telegram.ts";
import { TelegramApi } from "./telegram-api.ts";
import { TelegramNotes } from "./telegram-notes.ts";

const clock = () => new Date();
const onTrouble = () => undefined;
const pace = { retry: { firstMs: 1, longestMs: 5 } };
const chat = { type: "telegram", id: `${OWNER}` } as const;

/** A queue in memory that notes what was answered. */
function memoryDesk(ids: readonly string[]) {
  const questions = new Map<string, ShownQuestion>(
    ids.map((id) => [
      id,
      {
        id,
        text: `Question ${id}`,
        suggestedAnswers: [
          { label: "Redis", description: "" },
          { label: `🦊 ${"long ".repeat(40)}`, description: "" },
        ],
        fingerprint: "0a1b2c3d",
        state: { kind: "open" },
      },
    ]),
  );
  const answers: string[] = [];
  const close = (id: string, words: string) => {
    const known = questions.get(id);
    if (known !== undefined) questions.set(id, { ...known, state: { kind: "closed", words } });
  };
  const desk: AnswerDesk = {
    find: async (id) => questions.get(id),
    openIds: async () => [...questions.values()].flatMap(({ id, state }) => (state.kind === "open" ? [id] : [])),
    inbox: async () => "",
    answer: async (id, given) => {
      const { state } = questions.get(id) ?? {};
      if (state?.kind === "closed") return { kind: "closed", words: state.words };
      const text = "label" in given ? given.label : given.text;
      answers.push(`${id}: ${text}`);
      close(id, `Answered: ${text}`);
      return { kind: "recorded", words: `Recorded: ${text}` };
    },
    snooze: async (id, hours) => {
      answers.push(`${id} snoozed for ${hours}`);
      return { kind: "recorded", words: "Snoozed." };
    },
  };
  return { desk, answers, close, questions };
}

const pressNumber = ({ callback_query_id: id = "" }: { callback_query_id?: string }) =>
  Number(id.replace("press-", ""));

async function opened(ids: readonly string[]) {
  const server = await startTelegram();
  const files = new Files(temporaryFolder());
  await files.ensureFolder("state");
  const memory = memoryDesk(ids);
  const channels = new Channels({ files, clock, onTrouble });
  const exchange = new Exchange({ channels, redact: (text) => text, isListening: () => true });
  const said: string[] = [];
  const tell = (id: string, text: string, escalations: string[]) =>
    exchange.send(chat, { id, from: "hall", to: "person", text, escalations });
  let person: PersonDeliveries | undefined;
  exchange.attach("person", { look: (address) => person?.look(address) });
  const begin = () => {
    const telegram = new Telegram({
      settings: { owners: [OWNER] },
      api: new TelegramApi({ apiUrl: server.url, token: BOT_TOKEN }),
      channels,
      talk: () => ({
        say: async (_, { text }) => {
          said.push(text);
          throw new Error("not needed");
        },
        answer: async (_, { text, answer }) => {
          said.push(`${text} → ${answer}`);
          return undefined as never;
        },
        tell: async (_, { id, text, escalations = [] }) => void (await tell(id, text, escalations)),
      }),
      notes: new TelegramNotes(files),
      questions: () => memory.desk,
      clock,
      onTrouble,
      pace: { leastMs: 1, firstPauseMs: 1 },
    });
    const ways = { cli: "read", http: "read", project: "read", telegram } as const;
    const begun = new PersonDeliveries({ channels, ways, clock, random: () => 0.5, onTrouble, pace });
    person = begun;
    begun.start();
    onTestFinished(() => begun.close());
    return { telegram, person: begun };
  };
  const keyboards = (count: number) =>
    eventually(
      () => server.keyboards(),
      (all) => all.length === count,
    );
  /** In the order of the presses: each is a request of its own, and they may overtake each other. */
  const toasts = () =>
    server.calls
      .flatMap(({ method, params }) => (method === "answerCallbackQuery" ? [params] : []))
      .sort((a, b) => pressNumber(a) - pressNumber(b))
      .map(({ text }) => text);
  const toasted = (count: number) => eventually(toasts, (all) => all.length === count);
  /** Each once: a message may be changed to the same again. */
  const edits = () => [
    ...new Set(server.calls.filter(({ method }) => method === "editMessageText").map(({ params }) => params.text)),
  ];
  return { server, ...memory, tell, begin, said, keyboards, toasted, edits };
}

it("a press gives the suggested answer; the message then shows it without buttons, and a second press repeats it", async () => {
  const { server, tell, begin, answers, keyboards, toasted, edits } = await opened(["esc-001"]);
  begin();
  await tell("m1", "Which cache?", ["esc-001"]);
  const [message] = await keyboards(1);
  expect(message?.buttons.map(({ text }) => text)).toEqual([
    "1. Redis",
    expect.stringMatching(/^2\. 🦊 long .{30,40}…$/u),
    "Snooze 1 hour",
    "Snooze 1 day",
  ]);
  const data = message?.buttons[0]?.data ?? "";
  server.press(1, data);
  await keyboards(0);
  expect(edits()).toEqual(["Which cache?\n\nAnswered: Redis"]);
  server.press(1, data);
  expect(await toasted(2)).toEqual(["Recorded: Redis", "Answered: Redis"]);
  expect(answers).toEqual(["esc-001: Redis"]);
});

it("a reply to the question is its answer, and any other message is for the main agent", async () => {
  const { server, tell, begin, answers, said, keyboards } = await opened(["esc-001"]);
  begin();
  await tell("m1", "Which cache?", ["esc-001"]);
  await keyboards(1);
  server.write("Use the disk", { reply_to_message: { message_id: 1 } });
  await keyboards(0);
  expect(answers).toEqual(["esc-001: Use the disk"]);
  server.write("Thanks", { reply_to_message: { message_id: 1 } });
  server.write("Forwarded", { reply_to_message: { message_id: 1 }, forward_origin: {} });
  await eventually(
    () => said.length,
    (count) => count >= 3,
  );
  expect(said.slice(0, 3)).toEqual([
    "Use the disk → Recorded: Use the disk",
    "Thanks → Answered: Use the disk",
    expect.stringContaining("Forwarded"),
  ]);
});

it("presses of others, for another question, from another chat or in a wrong form do nothing", async () => {
  const { server, tell, begin, answers, keyboards, toasted } = await opened(["esc-001", "esc-002"]);
  begin();
  await tell("m1", "Which cache?", ["esc-001"]);
  await tell("m2", "Which bank?", ["esc-002"]);
  const [first, second] = await keyboards(2);
  const data = first?.buttons[0]?.data ?? "";
  const other = { id: 66, is_bot: false };
  server.press(1, data, { from: other });
  server.press(1, data, { message: { message_id: 1, chat: { id: 66, type: "private" } } });
  server.press(1, data, { message: { message_id: 1, chat: { id: OWNER, type: "group" } } });
  server.press(1, data, { from: { id: OWNER, is_bot: true } });
  // The other question's data below this message.
  server.press(1, second?.buttons[0]?.data ?? "");
  for (const bad of ["", "esc-001", data.replace(/a0$/, "a9"), data.replace(/a0$/, "s999"), `${data}0000`])
    server.press(1, bad);
  server.press(1, data.replace("0a1b2c3d", "ffffffff"));
  const words = await toasted(7);
  expect(words).toEqual([
    ...["This is no longer open.", "This is no longer open.", "This is no longer open."],
    expect.stringContaining("changed"),
    ...["This is no longer open.", "This is no longer open."],
    expect.stringContaining("changed"),
  ]);
  expect(answers).toEqual([]);
});

it("messages lose their buttons when the question is closed elsewhere, also while the daemon was down", async () => {
  const { server, tell, begin, close, answers, keyboards, edits } = await opened(["esc-001", "esc-002"]);
  const { telegram, person } = begin();
  await tell("m1", "Which cache?", ["esc-001"]);
  await tell("m2", "Which bank?", ["esc-002"]);
  await keyboards(2);
  close("esc-001", "Answered in the dashboard: Disk");
  telegram.refreshQuestions();
  await keyboards(1);
  await person.close();
  close("esc-002", "Dismissed: not now");
  await tell("m3", "Which bank? (reminder)", ["esc-002"]);
  begin().telegram.refreshQuestions();
  await keyboards(0);
  expect(edits()).toEqual(["Which cache?\n\nAnswered in the dashboard: Disk", "Which bank?\n\nDismissed: not now"]);
  expect(server.sent()).toEqual(["Which cache?", "Which bank?"]);
  expect(answers).toEqual([]);
});

it("a summary has buttons that show its questions, and a reminder takes the buttons of the message before", async () => {
  const { server, tell, begin, keyboards, edits } = await opened(["esc-001", "esc-002", "esc-003"]);
  begin();
  await tell("m1", "3 questions wait for you.", ["esc-001", "esc-002", "esc-003"]);
  const [summary] = await keyboards(1);
  expect(summary?.buttons.map(({ text }) => text)).toEqual(["Show 1", "Show 2", "Show 3"]);
  server.press(1, summary?.buttons[1]?.data ?? "");
  const [, shown] = await keyboards(2);
  expect(shown).toMatchObject({ text: "Question esc-002", buttons: [{ text: "1. Redis" }, {}, {}, {}] });
  await tell("m2", "Reminder: esc-002", ["esc-002"]);
  await eventually(edits, (all) => all.length > 0);
  expect(edits()).toEqual(["Question esc-002\n\nSent again below."]);
  expect(server.keyboards().map(({ messageId }) => messageId)).toEqual([1, 3]);
});

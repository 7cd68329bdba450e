import { describe, expect, it } from "vitest";
import { conversation } from "../../../test/fakes/conversation.ts";
import { talkingHall } from "../../../test/fakes/talking-hall.ts";
import { pictureOf } from "../../../test/fakes/terminal-picture.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";

const ENTER = { name: "return" };
const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`);

type Talk = Awaited<ReturnType<typeof conversation>>;

/** What is on the screen after the terminal got another width. Whatever was there before does not count: it is written anew. */
function resize({ host }: Talk, columns: number) {
  const from = host.printed.out.length;
  Object.assign(host.out, { columns });
  host.tick();
  expect(host.printed.out.slice(from)).toBe("");
  for (let at = 0; at < 4; at++) host.tick();
  return () => pictureOf(host.printed.out.slice(from), columns).lines.slice(-50);
}

const wordsIn = (lines: string[]) => lines.join(" ").match(/word\d+/g);

describe("a terminal whose width changes", () => {
  it("shows every word of an answer once, and what is being typed", async () => {
    const hall = talkingHall("/api/chat");
    const talk = await conversation(hall, ["chat", "--no-history"]);
    talk.host.press("0123456789012345678901234567890123456789");
    const say = (text: string) => hall.tell({ kind: "delta", messageId: "a", text });
    hall.tell({ kind: "begun", messageId: "a" });
    let seen = () => talk.seen().lines;
    for (const [at, word] of WORDS.entries()) {
      say(`${word} `);
      await waitFor(() => {
        talk.host.tick();
        expect(seen().join(" ")).toContain(word);
      });
      if (at === 13) seen = resize(talk, 45);
      if (at === 20) seen = resize(talk, 20);
      if (at === 30) seen = resize(talk, 100);
      expect(wordsIn(seen())).toEqual(WORDS.slice(0, at + 1));
      if (at === 25) expect(seen().slice(-3)).toEqual(["› 01234567890123456", "  78901234567890123", "  456789"]);
    }
    hall.say({ text: WORDS.join(" "), root: "a", inReplyTo: "a" });
    hall.tell({ kind: "ended", messageId: "a", outcome: "answered" });
    await waitFor(() => expect(seen().at(-2)).toMatch(/word39$/));
    expect(wordsIn(seen())).toEqual(WORDS);
    expect(seen().at(-1)).toBe("› 0123456789012345678901234567890123456789");
  });

  it("takes nothing away that others wrote, and repeats no more than a screen", async () => {
    const hall = talkingHall("/api/chat");
    for (let at = 0; at < 30; at++) hall.say({ text: `one${at}\ntwo${at}` });
    const talk = await conversation(hall, ["chat", "--history", "30"]);
    const seen = resize(talk, 70);
    // The screen is filled by the conversation already, and nothing has to go up before it is written anew.
    expect(talk.host.printed.out).not.toContain("\u001b[50;1H");
    expect(
      seen()
        .filter((line) => line.startsWith("│ two"))
        .at(0),
    ).toBe("│ two13");
  });
});

describe("an answer", () => {
  it("that comes in small pieces is drawn no more often than a person can see", async () => {
    const hall = talkingHall("/api/chat");
    const { host, seen } = await conversation(hall, ["chat", "--no-history"]);
    let writes = 0;
    const { write } = host.out;
    host.out.write = (text) => {
      writes++;
      write(text);
    };
    hall.tell({ kind: "begun", messageId: "a" });
    for (let at = 0; at < 3_000; at++) hall.tell({ kind: "delta", messageId: "a", text: `${at} ` });
    hall.tell({ kind: "ended", messageId: "a", outcome: "answered" });
    await waitFor(() => expect(seen().lines.at(-2)).toMatch(/ 2999$/));
    expect(writes).toBeLessThan(20);
  });

  it("tells what it answers where several things were said", async () => {
    const hall = talkingHall("/api/chat");
    const { host, seen } = await conversation(hall, ["chat", "--no-history"]);
    for (const text of ["How is\\", ENTER, "the shop?", ENTER, "And the web?", ENTER]) host.press(text);
    await waitFor(() => expect(hall.posts).toHaveLength(2));
    for (const [at, text] of ["Well.", "Not well."].entries())
      hall.say({ text, root: hall.posts[at]?.id, inReplyTo: hall.posts[at]?.id });
    await waitFor(() => expect(seen().lines).toContain("│ Not well."));
    expect(seen().lines.slice(-6, -2)).toEqual([
      'main (to "How is the shop?")',
      "│ Well.",
      'main (to "And the web?")',
      "│ Not well.",
    ]);
  });

  it("goes on below what is said meanwhile, breaks no word, and is not said again as a whole", async () => {
    const hall = talkingHall("/api/chat");
    const { seen, sees } = await conversation(hall, ["chat", "--no-history"]);
    const greeting = seen().lines.slice(0, -1);
    hall.tell({ kind: "begun", messageId: "a" }, { kind: "delta", messageId: "a", text: "All of the ta" });
    hall.say({ from: "hall", text: "Something else." });
    hall.tell({ kind: "delta", messageId: "a", text: "sks." });
    hall.say({ text: "All of the tasks.", root: "a", inReplyTo: "a" });
    hall.tell({ kind: "ended", messageId: "a", outcome: "answered" });
    await sees(...greeting, "main", "│ All of the", "guildhall", "│ Something else.", "main", "│ tasks.", "›");
  });

  it("that is held because the project does not listen is told by the hall", async () => {
    const hall = talkingHall("/api/projects/shop/messages");
    const { host, seen } = await conversation(hall, ["project", "talk", "shop"]);
    host.press("Hello");
    host.press(ENTER);
    await waitFor(() => expect(hall.posts).toHaveLength(1));
    const messageId = hall.posts[0]?.id ?? "";
    hall.tell({ kind: "ended", messageId, outcome: "held", error: "The project is suspended." });
    hall.settle(messageId);
    await waitFor(() =>
      expect(seen().lines.slice(-4)).toEqual(["› Hello", "guildhall", "│ The project is suspended.", "›"]),
    );
  });
});

it("/help tells of this conversation below what the daemon tells, in any case", async () => {
  const hall = talkingHall("/api/chat", ({ id }, { say }) => say({ from: "hall", text: "/stop  stop", root: id }));
  const { host, seen } = await conversation(hall, ["chat", "--no-history"], { terminal: 100 });
  host.press("/HELP");
  host.press(ENTER);
  await waitFor(() => expect(seen().lines.join("\n")).toContain("/quit"));
  const text = seen().lines.join("\n");
  expect(text.indexOf("/quit")).toBeGreaterThan(text.indexOf("/stop"));
  expect(text.match(/\/stop/g)).toHaveLength(1);
});

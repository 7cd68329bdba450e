import { describe, expect, it } from "vitest";
import { conversation } from "../../../test/fakes/conversation.ts";
import { talkingHall } from "../../../test/fakes/talking-hall.ts";
import { waitFor } from "../../../test/harness/wait-for.ts";

const ENTER = { name: "return" };
const CTRL_C = { name: "c", ctrl: true };

const GREETING = "Chatting with the main agent. Enter sends, /help shows";
const REST = "commands, Ctrl-D quits.";

describe("a conversation on a terminal", () => {
  it("shows what was said before, sends what is typed, and leaves with Ctrl-D", async () => {
    const hall = talkingHall("/api/chat");
    for (const text of ["one", "two", "three"]) hall.say({ text });
    const { host, ended, sees, seen } = await conversation(hall, ["chat", "--history", "2"]);
    const past = seen().lines.slice(0, 4);
    expect(past).toEqual([
      expect.stringMatching(/^main 2026/),
      "│ two",
      expect.stringMatching(/^main 2026/),
      "│ three",
    ]);
    host.press("Hello");
    host.press(ENTER);
    await waitFor(() => expect(hall.posts).toEqual([expect.objectContaining({ text: "Hello" })]));
    await sees(...past, "› Hello", "⠋ main: thinking…", "›");
    host.press({ name: "d", ctrl: true });
    expect(await ended).toBe(0);
    expect(seen().lines).toEqual([...past, "› Hello", ""]);
  });

  it("lets an answer grow above what is being typed", async () => {
    const hall = talkingHall("/api/chat");
    const { host, sees, seen } = await conversation(hall, ["chat", "--no-history"], { terminal: 30 });
    const greeting = seen().lines.slice(0, -1);
    host.press("Go");
    host.press(ENTER);
    await waitFor(() => expect(hall.posts).toHaveLength(1));
    const messageId = hall.posts[0]?.id ?? "";
    host.press("and the");
    hall.tell({ kind: "begun", messageId }, { kind: "delta", messageId, text: "The shop has two tasks and " });
    hall.tell({ kind: "delta", messageId, text: "nothing else" });
    const said = [...greeting, "› Go", "main", "│ The shop has two tasks and"];
    await sees(...said, "│ nothing else", "⠋ main: writing…", "› and the");
    expect(seen().cursor).toEqual([said.length + 2, 9]);
    hall.tell({ kind: "activity", messageId, activity: { kind: "tool", name: "reply", subject: "shop" } });
    await sees(...said, "│ nothing else", "⠋ main: asking shop…", "› and the");
    hall.say({ text: "It is done.", root: messageId });
    hall.tell({ kind: "ended", messageId, outcome: "answered" });
    await sees(...said, "│ nothing else", "│ It is done.", "⠋ main: waiting for other ag…", "› and the");
    hall.settle(messageId);
    await sees(...said, "│ nothing else", "│ It is done.", "› and the");
  });

  it("prints a message once that was seen as it was written, and void text is said to be void", async () => {
    const hall = talkingHall("/api/chat");
    const { sees } = await conversation(hall);
    hall.tell({ kind: "begun", messageId: "a" }, { kind: "delta", messageId: "a", text: "Wrong" });
    hall.tell({ kind: "restart", messageId: "a" }, { kind: "delta", messageId: "a", text: "Right." });
    hall.say({ text: "Right.", root: "a" });
    hall.tell({ kind: "ended", messageId: "a", outcome: "answered" });
    const void_ = "The answer was interrupted and starts over.";
    await sees(GREETING, REST, "main", "│ Wrong", void_, "main", "│ Right.", "›");
  });

  it("shows what comes unasked, with who speaks", async () => {
    const hall = talkingHall("/api/projects/shop/messages");
    const { host, sees, seen } = await conversation(hall, ["project", "talk", "shop"]);
    const greeting = seen().lines.slice(0, -1);
    host.press("half a th");
    hall.say({ from: "main", to: "project", text: "Status?" });
    hall.say({ from: "project", to: "main", text: "\u001b[2JFine" });
    hall.say({ from: "person", to: "project", text: "from elsewhere" });
    const said = ["main → shop", "│ Status?", "shop → main", "│ ␛[2JFine", "› from elsewhere"];
    await sees(...greeting, ...said, "› half a th");
  });

  it("stops the answer under way with Ctrl-C, tells how to leave, and leaves at the second one", async () => {
    const hall = talkingHall("/api/chat");
    const { host, ended, seen } = await conversation(hall);
    host.press("Go");
    host.press(ENTER);
    await waitFor(() => expect(hall.open.size).toBe(1));
    host.press(CTRL_C);
    await waitFor(() => expect(hall.stops).toBe(1));
    const messageId = hall.posts[0]?.id ?? "";
    hall.tell({ kind: "ended", messageId, outcome: "stopped" });
    hall.settle(messageId);
    await waitFor(() => expect(seen().lines.at(-2)).toBe("Answer stopped."));
    host.press("x");
    host.press(CTRL_C);
    expect(seen().lines.slice(-3)).toEqual([expect.stringMatching(/^Nothing to stop\./), expect.any(String), "›"]);
    host.press(CTRL_C);
    expect(await ended).toBe(0);
    expect(hall.stops).toBe(1);
  });

  it("goes on after the daemon was away: says so, says again what was said, misses nothing", async () => {
    const hall = talkingHall("/api/chat");
    let isUp = true;
    const answer = hall.answer;
    hall.answer = (request) => (isUp ? answer(request) : (response) => response.destroy());
    const { host, seen } = await conversation(hall, ["chat"], { pause: () => new Promise((go) => setTimeout(go, 5)) });
    hall.tell({ kind: "begun", messageId: "a" }, { kind: "delta", messageId: "a", text: "Half an ans" });
    await waitFor(() => expect(seen().lines).toContain("│ Half an ans"));
    isUp = false;
    hall.breakOff();
    await waitFor(() => expect(seen().lines.join(" ")).toContain("Lost the connection to the daemon. Reconnecting…"));
    host.press("Meanwhile");
    host.press(ENTER);
    await waitFor(() => expect(seen().lines).toContain("⠋ main: waiting for the daemon…"));
    hall.say({ text: "A whole answer.", root: "a" });
    isUp = true;
    await waitFor(() => expect(hall.posts).toEqual([expect.objectContaining({ text: "Meanwhile" })]));
    // Of an answer whose beginning was missed, only the whole is shown.
    hall.tell({ kind: "delta", messageId: "b", text: "second half" });
    hall.tell({ kind: "ended", messageId: "b", outcome: "answered" });
    await waitFor(() => expect(seen().lines).toContain("⠋ main: waiting for other agents…"));
    const { lines } = seen();
    expect(lines.filter((line) => line.includes("whole answer"))).toEqual(["│ A whole answer."]);
    expect(lines).toContain("Reconnected to the daemon.");
    expect(lines.join()).not.toContain("second half");
    expect(hall.afters).toEqual([0, 0]);
  });

  it("tells why something is not taken, and goes on", async () => {
    const hall = talkingHall("/api/chat");
    const answer = hall.answer;
    const body = { error: { code: "too_large", message: "That is too much.", hint: "Say less." } };
    hall.answer = (request) => (request.method === "POST" ? { status: 413, body } : answer(request));
    const { host, sees } = await conversation(hall);
    host.press("Much");
    host.press(ENTER);
    await sees(GREETING, REST, "› Much", "error: That is too much. [too_large]", "  hint: Say less.", "›");
  });

  it("answers /help and /stop by itself, and /quit leaves", async () => {
    const hall = talkingHall("/api/projects/shop/messages");
    const { host, ended, seen } = await conversation(hall, ["project", "talk", "shop"]);
    host.press("/help");
    host.press(ENTER);
    expect(seen().lines.join("\n")).toContain("/stop      stop the current answer");
    host.press("/STOP");
    host.press(ENTER);
    await waitFor(() => expect(seen().lines.at(-2)).toBe("Nothing to stop."));
    host.press("/quit");
    host.press(ENTER);
    expect(await ended).toBe(0);
    expect(hall.posts).toEqual([]);
  });
});

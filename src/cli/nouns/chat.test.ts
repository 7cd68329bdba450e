import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiRequest, fakeApi, ok, refused } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import { fakeHost } from "../../../test/fakes/cli-host.ts";
import { type Said, type TalkingHall, talkingHall } from "../../../test/fakes/talking-hall.ts";
import { pictureOf } from "../../../test/fakes/terminal-picture.ts";
import { runCommandLine } from "../run.ts";

/** Answers with these words, written in two pieces, and is done. */
function answering(text: string) {
  return ({ id }: Said, hall: TalkingHall) => {
    hall.tell({ kind: "begun", messageId: id }, { kind: "delta", messageId: id, text: text.slice(0, 4) });
    hall.tell({ kind: "delta", messageId: id, text: text.slice(4) });
    hall.say({ text, root: id, inReplyTo: id });
    hall.tell({ kind: "ended", messageId: id, outcome: "answered" });
    hall.settle(id);
  };
}

describe("saying one thing", () => {
  it("prints nothing but the answers in a pipe, cleaned of what a terminal acts on", async () => {
    const hall = talkingHall("/api/chat", answering("Two are\u001b[31m open.\n"));
    hall.say({ text: "of before" });
    const { code, out, err } = await runCli(["chat", "What", "is", "open?"], hall.answer);
    expect({ code, out, err }).toEqual({ code: 0, out: "Two are␛[31m open.\n", err: "" });
    expect(hall.posts).toEqual([expect.objectContaining({ text: "What is open?", type: "cli", channel: "default" })]);
    expect(hall.afters).toEqual([1]);
  });

  it("shows the answer as it is written on a terminal, once", async () => {
    const hall = talkingHall("/api/chat", answering("Two are open."));
    const { out, code } = await runCli(["chat", "Hello"], hall.answer, { terminal: 60 });
    expect(code).toBe(0);
    expect(pictureOf(out, 60).lines).toEqual(["main", "│ Two are open.", ""]);
  });

  it("waits for what comes of it later, and passes over what does not", async () => {
    const hall = talkingHall("/api/chat", ({ id }, { say, tell, settle }) => {
      say({ text: "I ask the shop.", root: id, inReplyTo: id });
      tell({ kind: "ended", messageId: id, outcome: "answered" });
      say({ text: "Something else.", root: "other" });
      setImmediate(() => {
        say({ text: "The shop is well.", root: id });
        settle(id);
      });
    });
    const { out } = await runCli(["chat", "How is the shop?"], hall.answer);
    expect(out).toBe("I ask the shop.\nThe shop is well.\n");
  });

  it("prints each message of the conversation as a line of JSON, its own first", async () => {
    const hall = talkingHall("/api/chat", answering("Yes."));
    const { out } = await runCli(["chat", "--json"], hall.answer, { input: "Is\nit so?" });
    const lines = out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(["Is\nit so?", "Yes."]);
  });

  it("returns when it is said, with --no-wait", async () => {
    const hall = talkingHall("/api/chat");
    const { code, out } = await runCli(["chat", "Hello", "--no-wait", "--channel", "second"], hall.answer);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Sent \(/)]);
    expect(hall.posts).toEqual([expect.objectContaining({ channel: "second" })]);
  });

  it("prints what the daemon answers to a command at once", async () => {
    const hall = talkingHall("/api/chat", ({ id }, { say }) => say({ from: "hall", text: "No projects.", root: id }));
    const { code, out } = await runCli(["chat", "/projects"], hall.answer);
    expect([code, out]).toEqual([0, "No projects.\n"]);
  });

  it("fails where the daemon knows no such command", async () => {
    const text = "There is no command '/nonsense'.";
    const hall = talkingHall("/api/chat", ({ id }, { say }) => say({ from: "hall", text, root: id }));
    expect(await runCli(["chat", "/nonsense"], hall.answer)).toMatchObject({ code: 2, out: `${text}\n` });
  });

  it.each([
    [["chat", "Review", "this"], "/api/chat"],
    [["project", "talk", "shop", "Review this"], "/api/projects/shop/messages"],
  ] as const)("says what is piped in below what was given: %j", async (words, base) => {
    const hall = talkingHall(base, answering("Good."));
    expect(await runCli([...words], hall.answer, { input: "+ one\n+ two\n" })).toMatchObject({ code: 0, err: "" });
    expect(hall.posts).toEqual([expect.objectContaining({ text: "Review this\n\n+ one\n+ two" })]);
  });

  it("fails at once when the project does not listen", async () => {
    const hall = talkingHall("/api/projects/shop/messages", ({ id }, { tell }) => {
      tell({ kind: "ended", messageId: id, outcome: "held", error: "The project is suspended; resume it." });
      tell({ kind: "settled", root: id });
    });
    const { code, out, err } = await runCli(["project", "talk", "shop", "Hello"], hall.answer);
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: "The project is suspended; resume it.\n" });
  });

  it("fails with the reason when the agent gives no answer", async () => {
    const hall = talkingHall("/api/chat", ({ id }, { say, tell, settle }) => {
      say({ from: "hall", text: "The main agent gave no answer: no provider.", root: id, inReplyTo: id });
      tell({ kind: "ended", messageId: id, outcome: "failed", error: "no provider" });
      settle(id);
    });
    const { code, out, err } = await runCli(["chat", "Hello"], hall.answer);
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: "The main agent gave no answer: no provider.\n" });
  });

  it.each([
    [0, "Not yet.\n", true],
    [1, "", false],
  ])("gives up when the time is over, with %d", async (expected, out, isAnswered) => {
    let now = 0;
    let looks = 0;
    const hall = talkingHall("/api/chat", ({ id }, { say }) => {
      if (isAnswered) say({ text: "Not yet.", root: id });
    });
    const running = runCli(["chat", "Hello", "--timeout", "1", "--channel", "x"], hall.answer, {
      now: () => now,
      every: (work) => {
        const timer = setInterval(() => {
          // What was said by then has come through.
          if (hall.posts.length === 0 || !hall.isHeard() || ++looks < 20) return;
          now += 1_000;
          work();
        }, 5);
        return () => clearInterval(timer);
      },
    });
    const { code, err, out: printed } = await running;
    expect([code, printed]).toEqual([expected, out]);
    expect(err).toBe("No further answer within 1 second. See later answers with 'guildhall chat --channel x'.\n");
  });

  it("says it again with the same id when the daemon comes back, and loses nothing", async () => {
    const hall = talkingHall("/api/chat", ({ id }, { say, breakOff }) => {
      say({ text: "First.", root: id });
      setImmediate(breakOff);
    });
    const { code, out, err } = await runCli(["chat", "Hello"], hall.answer, {
      pause: () => {
        if (hall.messages.length !== 2) return;
        const root = hall.posts[0]?.id ?? "";
        hall.say({ text: "While you were away.", root });
        hall.open.clear();
      },
    });
    expect([code, out]).toEqual([0, "First.\nWhile you were away.\n"]);
    expect(err).toBe(
      "Lost the connection to the daemon. Reconnecting… Your message is not lost.\nReconnected to the daemon.\n",
    );
    expect(new Set(hall.posts.map(({ id }) => id)).size).toBe(1);
    expect(hall.posts.length).toBeGreaterThan(1);
  });

  it("stops the answer with Ctrl-C, and ends with 130", async () => {
    const hall = talkingHall("/api/chat");
    const answer = (request: ApiRequest) => {
      const answered = hall.answer(request);
      if (request.method === "POST" && hall.stops === 0) setImmediate(() => host.signal());
      return answered;
    };
    const api = await fakeApi(answer);
    onTestFinished(api.close);
    const host = fakeHost({ env: { GUILDHALL_WORKSPACE: api.workspace } });
    expect(await runCommandLine(["chat", "Hello"], host)).toBe(130);
    expect(hall.stops).toBe(1);
  });

  it("speaks with a project's agent in the same way", async () => {
    const hall = talkingHall("/api/projects/shop/messages", ({ id }, { say, settle }) => {
      say({ from: "project", text: "All is well.", root: id });
      settle(id);
    });
    expect(await runCli(["project", "talk", "shop", "Well?"], hall.answer)).toMatchObject({
      code: 0,
      out: "All is well.\n",
    });
    const closed = await runCli(["project", "talk", "shop", "Well?"], (request) =>
      request.method === "POST" ? refused("project_closed", 409) : hall.answer(request),
    );
    expect([closed.code, closed.out]).toEqual([4, ""]);
    expect(closed.err).toContain("[project_closed]");
  });

  it.each([
    [["chat"], { input: " \n" }, "Missing message."],
    [["chat", "Hi", "--channel", "Not This"], {}, "--channel must be"],
    [["chat", "Hi", "--timeout", "0.5"], {}, "--timeout must be"],
    [["chat", "--history", "-1"], { input: "x" }, "--history must be"],
  ])("tells how %j is meant", async (words, choice, told) => {
    const { code, err } = await runCli(words, undefined, choice);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});

describe("what is known of talking", () => {
  it("lists the channels, or says how to begin", async () => {
    const channels = [{ type: "cli", id: "default", lastSeq: 4, lastAt: "2026-03-01T12:00:00Z", open: 1 }];
    const listed = await runCli(["channel", "list"], () => ok({ channels }));
    expect(listed.out).toMatch(/^CHANNEL +MESSAGES +OPEN +LAST\ncli\/default +4 +1 +2026/);
    const empty = await runCli(["channel", "list"], () => ok({ channels: [] }));
    expect(empty.out).toContain('guildhall chat "Hello"');
  });
});

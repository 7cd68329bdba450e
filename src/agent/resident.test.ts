import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { call, tool } from "../../test/fakes/agent.ts";
import { linesOf, message, residentOver } from "../../test/fakes/resident.ts";
import { eventually } from "../../test/harness/daemon.ts";
import { filesOver } from "../../test/harness/temporary-folder.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";
import type { SessionMessage } from "../contract/runs/session.ts";
import type { Files } from "../store/files/files.ts";
import { sessionArchives } from "./session-files.ts";

const refused = () => new ModelFailure("refused", "The provider answered 400: invalid content.");
const types = (files: Files, file?: string) => linesOf(files, file).map(({ type }) => type);
const used = (input: number) => ({ input, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 });

/** Delivers them all and waits until nothing is left to do. */
async function tell({ resident }: Pick<ReturnType<typeof residentOver>, "resident">, ...messages: SessionMessage[]) {
  for (const each of messages) resident.deliver(each);
  await resident.idle();
}

describe("an agent that lives on", () => {
  it("takes messages one at a time, in the order in which they came, and remembers what was said [S3-SES-01]", async () => {
    const { files } = filesOver();
    const hall = residentOver({
      files,
      model: [{ text: "I look.", calls: [call("a", "look")] }, { text: "One." }, { text: "Two." }],
      tools: [tool("look", { run: () => "a file" })],
    });
    const second = message("second", { from: "project", channel: { type: "project", id: "shop" } });
    await tell(hall, message("first"), second, message("first"));
    expect(hall.resident.isBusy).toBe(false);
    expect(hall.told).toMatchObject([
      { id: "first", end: { outcome: "answered", text: "One." } },
      { id: "second", end: { outcome: "answered", text: "Two." } },
    ]);
    expect(hall.asked.at(-1)?.texts).toEqual([
      "[from the person, cli/default]\nfirst",
      "I look.",
      "a file",
      "One.",
      "[from project shop]\nsecond",
    ]);
    expect(types(files)).toEqual([
      ...["message", "answer", "result", "answer", "ended"],
      ...["message", "answer", "ended"],
    ]);
  });

  it("goes on after a restart with all it knew [S3-SES-05]", async () => {
    const { files } = filesOver();
    const first = residentOver({ files, model: [{ text: "The key is under the mat." }] });
    await tell(first, message("where"));
    await first.session.close();
    const second = residentOver({ files });
    await tell(second, message("again"));
    expect(second.asked[0]?.texts.slice(0, 2)).toEqual([
      "[from the person, cli/default]\nwhere",
      "The key is under the mat.",
    ]);
  });

  it("has a session that is its own and nobody else's", async () => {
    const [main, project] = [filesOver(), filesOver("projects/shop/session")];
    await tell(residentOver(main), message("to main"));
    const other = residentOver(project);
    await tell(other, message("to the project"));
    expect(other.asked[0]?.texts).toEqual(["[from the person, cli/default]\nto the project"]);
  });

  it("does not deal twice with a message, but tells again how it ended, also after a restart", async () => {
    const { files } = filesOver();
    const first = residentOver({ files, model: [{ text: "One." }] });
    await tell(first, message("a"));
    await tell(first, message("a"));
    await first.session.close();
    const second = residentOver({ files });
    await tell(second, message("a"));
    const end = { id: "a", end: { outcome: "answered", text: "One." } };
    expect([first.told, second.told, second.asked]).toEqual([[end, end], [end], []]);
    expect(types(files)).toEqual(["message", "answer", "ended"]);
  });

  it("tells of what is quiet with the next message that is not, and asks nobody for it alone", async () => {
    const { files } = filesOver();
    const hall = residentOver({ files });
    await tell(hall, message("q", { quiet: true, from: "hall" }));
    expect([hall.asked, hall.told]).toEqual([[], [{ id: "q", end: { outcome: "answered", text: "" } }]]);
    await tell(hall, message("q", { quiet: true, from: "hall" }), message("a"));
    expect(hall.asked[0]?.texts).toEqual(["[from Guildhall]\nq", "[from the person, cli/default]\na"]);
    expect(types(files)).toEqual(["message", "message", "answer", "ended"]);
  });

  it("counts turns for each message", async () => {
    const { files } = filesOver();
    const look = (id: string) => ({ calls: [call(id, "look", { id })] });
    const model = [look("1"), { text: "One." }, look("2"), look("3"), { text: "never" }];
    const hall = residentOver({ files, model, tools: [tool("look")], brief: { turns: 2 } });
    await tell(hall, message("a"), message("b"));
    expect(hall.told.map(({ end }) => end)).toMatchObject([
      { outcome: "answered", text: "One." },
      { outcome: "failed", text: "", error: "The answer used all of its 2 turns." },
    ]);
  });

  it("answers the next message after one that ended because the same call was made again and again", async () => {
    const { files } = filesOver();
    const again = Array.from({ length: 5 }, (_, at) => ({ text: "", calls: [call(`c${at}`, "look")] }));
    const hall = residentOver({
      files,
      model: [...again, { text: "Once more.", calls: [call("d", "look")] }, { text: "Fine." }],
      tools: [tool("look", { run: () => "a file" })],
    });
    await tell(hall, message("first"), message("second"));
    expect(hall.told).toMatchObject([
      { id: "first", end: { outcome: "failed", error: expect.stringContaining("same call 5 times") } },
      { id: "second", end: { outcome: "answered", text: "Fine." } },
    ]);
    await hall.session.close();
    const later = residentOver({ files, model: [{ text: "Later." }] });
    await tell(later, message("third"));
    expect(later.told).toMatchObject([{ id: "third", end: { outcome: "answered", text: "Later." } }]);
  });

  it("gives calls ids that never come again, however the provider counts", async () => {
    const { files } = filesOver();
    const ids: string[] = [];
    const look = tool("look", { run: (_, { callId }) => String(ids.push(callId)) });
    const again = { calls: [call("0", "look")] };
    const model = [again, { text: "One." }, again, again, { text: "Two." }];
    await tell(residentOver({ files, model, tools: [look] }), message("a"), message("b"));
    expect(new Set(ids).size).toBe(3);
  });

  it("does not give one model what is sealed for another", async () => {
    const { files } = filesOver();
    const thinking = [{ text: "Hm.", opaque: { maker: { signature: "s" } } }];
    const calls = [{ ...call("1", "look"), opaque: { maker: { id: "x" } } }];
    const model = [
      { model: "one/a", thinking, calls },
      { model: "one/a", text: "One.", thinking },
    ];
    const settings = { model: "one/a", thinking: "off" as const };
    const brief = { settings };
    const hall = residentOver({ files, model, tools: [tool("look")], brief });
    await tell(hall, message("a"), message("b"));
    expect(hall.asked[1]?.messages[1]).toMatchObject({ thinking, calls });
    expect(hall.asked[2]?.messages[1]).toMatchObject({ thinking, calls });
    settings.model = "two/b";
    await tell(hall, message("c"));
    expect(hall.asked[3]?.messages[1]).toEqual({
      role: "assistant",
      text: "",
      thinking: [],
      calls: [call("1", "look")],
    });
  });

  it("fails an answer whose brief cannot be had, and goes on with the next", async () => {
    const { files } = filesOver();
    const brief = async ({ id }: SessionMessage) => {
      if (id === "a") throw new Error("The model 'x/y' is not known.");
      const settings = { model: "offline/rehearsal", thinking: "off" } as const;
      return { system: "", settings, contextWindow: 1_000, turns: 5, tools: [] };
    };
    const hall = residentOver({ files, ports: { brief } });
    await tell(hall, message("a"), message("b"));
    expect(hall.told.map(({ end }) => end.outcome)).toEqual(["failed", "answered"]);
    expect(hall.asked[0]?.texts[1]).toBe(
      "[from Guildhall]\nYour answer ended here without a result. The model 'x/y' is not known.",
    );
  });

  it("does nothing more when its session cannot be written", async () => {
    const { files } = filesOver();
    const hall = residentOver({ files });
    await hall.session.close();
    await tell(hall, message("a"));
    await tell(hall, message("b"));
    expect([hall.troubles.length, hall.asked.length]).toEqual([1, 0]);
  });
});

describe("an answer that was interrupted", () => {
  it("goes on where it stood: what may be asked again is, and the rest is told as cancelled [S3-START-05, S3-SES-03]", async () => {
    const { files } = filesOver();
    const calls = [call("1", "spawn"), call("2", "write")];
    const forever = () => new Promise<string>(() => undefined);
    const seen: string[] = [];
    const spawn = (run: () => Promise<string> | string) =>
      tool("spawn", {
        repeatable: true,
        run: (_, { callId }) => {
          seen.push(callId);
          return run();
        },
      });
    const killed = residentOver({
      files,
      model: [{ calls }],
      tools: [spawn(forever), tool("write", { changes: true, run: forever })],
    });
    killed.resident.deliver(message("a"));
    await eventually(
      () => seen.length,
      (length) => length === 1,
    );
    const again = residentOver({
      files,
      model: [{ text: "Done." }],
      tools: [spawn(() => "the child's answer"), tool("write", { changes: true })],
    });
    await tell(again, message("b"), message("a"));
    expect(seen[1]).toBe(seen[0]);
    expect(again.asked[0]?.messages.at(-1)).toEqual({
      role: "tool",
      results: [
        {
          id: "2",
          name: "write",
          failed: true,
          output: expect.stringMatching(/outcome unknown.*Treat it as cancelled/),
        },
        { id: "1", name: "spawn", failed: false, output: "the child's answer" },
      ],
    });
    expect(again.told.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(types(files).filter((type) => type === "ended")).toHaveLength(2);
  });

  it("is left by a resident that leaves, and its last decision is on disk", async () => {
    const { files } = filesOver();
    const answering = Promise.withResolvers<object>();
    const first = residentOver({ files, model: [() => answering.promise], tools: [tool("look")] });
    first.resident.deliver(message("a"));
    first.resident.deliver(message("b"));
    await eventually(
      () => first.asked.length,
      (length) => length === 1,
    );
    const left = first.resident.leave();
    answering.resolve({ text: "I look.", calls: [call("1", "look")] });
    await left;
    expect([first.told, types(files), first.resident.isBusy]).toEqual([[], ["message", "answer"], false]);
    first.resident.deliver(message("c"));
    await first.session.close();
    const second = residentOver({ files, tools: [tool("look", { repeatable: true, run: () => "seen" })] });
    await tell(second, message("a"), message("b"));
    expect(second.asked[0]?.texts).toEqual(["[from the person, cli/default]\na", "I look.", "seen"]);
    expect(second.told.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("is left also when neither its model nor its tool comes to an end", async () => {
    const { files } = filesOver();
    const deaf = () => new Promise<never>(() => undefined);
    const leaveMs = { model: 10, tool: 5 };
    const first = residentOver({ files, model: [deaf], ports: { leaveMs } });
    first.resident.deliver(message("a"));
    await eventually(
      () => first.asked.length,
      (length) => length === 1,
    );
    await first.resident.leave();
    expect(types(files)).toEqual(["message"]);
  });

  it("is over for a resident that leaves when nobody confirms it, and is told of again", async () => {
    const { files } = filesOver();
    const begun = Promise.withResolvers<void>();
    const onAnswered = () => {
      begun.resolve();
      return new Promise<never>(() => undefined);
    };
    const first = residentOver({ files, ports: { onAnswered, leaveMs: { model: 5, tool: 5 } } });
    first.resident.deliver(message("a"));
    await begun.promise;
    await first.resident.leave();
    await first.session.close();
    const second = residentOver({ files });
    await tell(second, message("a"));
    expect([second.told, second.asked]).toEqual([[{ id: "a", end: { outcome: "answered", text: "Done." } }], []]);
  });

  it("ends when it is stopped, and those that wait go on", async () => {
    const { files } = filesOver();
    const begun = Promise.withResolvers<void>();
    const slow = tool("slow", {
      run: (_, { signal }) => {
        begun.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      },
    });
    const hall = residentOver({ files, model: [{ calls: [call("1", "slow")] }], tools: [slow] });
    expect(hall.resident.stop("Nobody is there.")).toBe(false);
    hall.resident.deliver(message("a"));
    hall.resident.deliver(message("b"));
    await begun.promise;
    expect(hall.resident.stop("The person stopped it.")).toBe(true);
    await hall.resident.idle();
    expect(hall.told).toEqual([
      { id: "a", end: { outcome: "stopped", text: "", error: "The person stopped it." } },
      { id: "b", end: { outcome: "answered", text: "Done." } },
    ]);
    expect(hall.asked[1]?.texts.slice(2)).toEqual([
      "The answer ended during this call; its outcome is unknown.",
      "[from Guildhall]\nYour answer was stopped here. The person stopped it.",
      "[from the person, cli/default]\nb",
    ]);
  });
});

describe("when the window is full", () => {
  it("older turns are told in short, and the turn under way in full [S3-SES-02]", async () => {
    const { files } = filesOver();
    const model = [
      { text: "One.", usage: used(850) },
      { text: "They asked for one." },
      { text: "Two." },
      { text: "Three." },
    ];
    const hall = residentOver({ files, model, brief: { contextWindow: 1_000 } });
    await tell(hall, message("a"), message("b"), message("c"));
    const [archive] = sessionArchives(files);
    const told = `Summary so far:\n\nThey asked for one.`;
    expect(hall.asked.map(({ aside }) => aside)).toEqual([false, true, false, false]);
    expect(hall.asked[2]?.texts).toEqual([expect.stringContaining(told), "[from the person, cli/default]\nb"]);
    expect(hall.asked[3]?.texts.slice(0, 3)).toEqual([
      `${told}\n\n(Full text in ${archive?.file}; use session_archive_read.)`,
      "[from the person, cli/default]\nb",
      "Two.",
    ]);
    expect(new Set(hall.asked.map(({ history }) => history)).size).toBeGreaterThanOrEqual(3);
    expect(types(files, archive?.file)).toEqual(["message", "answer", "ended", "message"]);
    expect(types(files)).toEqual(["summary", "message", "answer", "ended", "message", "answer", "ended"]);
  });

  it("a turn that fills it alone goes on, is limited as before, and can be taken up again [S3-SES-02]", async () => {
    const { files } = filesOver();
    let asked = 0;
    const step = () => ({ text: `Step ${++asked}.`, calls: [call("c", "look", { asked })], usage: used(900) });
    const look = tool("look", { run: () => "x".repeat(2_000) });
    const model = (question: { aside?: boolean | undefined }) =>
      question.aside === true ? { text: "Steps." } : step();
    const hall = residentOver({ files, model, tools: [look], brief: { contextWindow: 1_000, turns: 12 } });
    await tell(hall, message("a"));
    expect(hall.told[0]?.end).toMatchObject({ outcome: "failed", error: "The answer used all of its 12 turns." });
    expect(hall.asked.filter(({ aside }) => !aside)).toHaveLength(12);
    const last = hall.asked.at(-1)?.texts ?? [];
    expect(last[1]).toBe("[from the person, cli/default]\na");
    expect(sessionArchives(files).length).toBeGreaterThan(1);
    await hall.session.close();
    const again = residentOver({ files, brief: { contextWindow: 1_000, turns: 12 } });
    await tell(again, message("b"));
    expect(again.told[0]?.end.outcome).toBe("answered");
  });

  it("its limit of turns holds over a switch and a restart", async () => {
    const { files } = filesOver();
    let asked = 0;
    const looking = (most: number) => (question: { aside?: boolean | undefined }) => {
      if (question.aside === true) return { text: "Steps." };
      if (asked === most) return () => new Promise<never>(() => undefined);
      asked++;
      return { calls: [call("c", "look", { asked })], usage: used(900) };
    };
    const setup = { files, tools: [tool("look")], brief: { contextWindow: 1_000, turns: 12 } };
    residentOver({ ...setup, model: looking(8) }).resident.deliver(message("a"));
    await eventually(
      () => asked === 8 && types(files).at(-1) === "result",
      (isThere) => isThere,
    );
    expect(linesOf(files)[0]).toMatchObject({ type: "summary", answers: expect.any(Number) });
    const again = residentOver({ ...setup, model: looking(99) });
    await tell(again, message("a"));
    expect([asked, again.told[0]?.end.error]).toEqual([12, "The answer used all of its 12 turns."]);
  });

  it("a provider that finds the conversation too long is asked once more with less", async () => {
    const { files } = filesOver();
    const model = [
      { text: "One." },
      new ModelFailure("too_long", "Too long."),
      { text: "In short." },
      { text: "Two." },
    ];
    const hall = residentOver({ files, model });
    await tell(hall, message("a"), message("b"));
    expect(hall.told[1]?.end).toEqual({ outcome: "answered", text: "Two." });
    expect(linesOf(files)[0]).toMatchObject({
      type: "summary",
      text: "In short.",
      previous: sessionArchives(files)[0]?.file,
    });
  });

  it("goes on with a bare summary where nobody can make one", async () => {
    const { files } = filesOver();
    const model = [{ text: "One.", usage: used(950) }, new ModelFailure("busy", "Busy."), { text: "Two." }];
    const hall = residentOver({ files, model, brief: { contextWindow: 1_000 } });
    await tell(hall, message("a"), message("b"));
    expect(hall.told[1]?.end).toEqual({ outcome: "answered", text: "Two." });
    expect(linesOf(files)[0]).toMatchObject({ text: expect.stringContaining("could not be summarized (Busy.)") });
  });

  it("what a turn is not shown is told to nobody in it, and is there again after it filled the window", async () => {
    const { files } = filesOver();
    const shop = { type: "project", id: "shop" } as const;
    const ofShop = (id: string) => message(id, { from: "project", channel: shop });
    const shownTo = ({ from }: SessionMessage) =>
      from === "person" ? undefined : (earlier: SessionMessage) => earlier.from === "project";
    const setup = { files, ports: { shownTo }, brief: { contextWindow: 4_000 } };
    const first = residentOver({
      ...setup,
      model: [{ text: "First." }, { text: "Of the shop." }, { text: "Second." }],
    });
    await tell(first, message("one"), ofShop("report"), message("two"));
    expect(first.asked[1]?.texts.join("\n")).not.toMatch(/one|First/);
    expect(first.asked[2]?.texts.join("\n")).toMatch(/one[\s\S]*First[\s\S]*report[\s\S]*Of the shop[\s\S]*two/);
    let asked = 0;
    const filling = (question: { aside?: boolean | undefined }) => {
      if (question.aside === true) return { text: "Looked around." };
      return ++asked > 6
        ? { text: "Enough." }
        : { calls: [call(`c${asked}`, "look", { asked })], usage: used(900 * asked) };
    };
    await first.session.close();
    const next = residentOver({ ...setup, model: filling, tools: [tool("look", { run: () => "x".repeat(3_000) })] });
    await tell(next, ofShop("fill"));
    expect(next.told[0]?.end).toMatchObject({ outcome: "answered", text: "Enough." });
    expect(sessionArchives(files).length).toBeGreaterThan(0);
    expect(JSON.stringify(next.asked)).not.toMatch(/First|Second/);
    await next.session.close();
    const last = residentOver({ ...setup, brief: { contextWindow: 100_000 } });
    await tell(last, message("three"));
    expect(last.asked[0]?.texts.join("\n")).toMatch(/Looked around\.[\s\S]*one[\s\S]*First[\s\S]*Second[\s\S]*three/);
  });

  it("holds no more after hundreds of messages than after a few", async () => {
    const { files } = filesOver();
    const model = ({ messages, aside }: { messages: unknown[]; aside?: boolean | undefined }) =>
      aside === true ? { text: "Short." } : { text: "Yes.", usage: used(JSON.stringify(messages).length / 4) };
    const hall = residentOver({ files, model, brief: { contextWindow: 2_000 } });
    await tell(
      hall,
      ...Array.from({ length: 300 }, (_, number) => message(`m${number}`, { text: "word ".repeat(20) })),
    );
    expect(hall.told).toHaveLength(300);
    expect(hall.session.entries.length).toBeLessThan(200);
  });
});

it("lets go of an answer that is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { files } = filesOver();
  const signals: WeakRef<AbortSignal>[] = [];
  const model = ({ signal }: { signal: AbortSignal }) => {
    signals.push(new WeakRef(signal));
    return { text: "Yes." };
  };
  await tell(residentOver({ files, model }), ...Array.from({ length: 20 }, (_, number) => message(`m${number}`)));
  const held = await eventually(
    () => {
      collect();
      return signals.filter((signal) => signal.deref() !== undefined).length;
    },
    (count) => count < 5,
  );
  expect(signals.length - held).toBeGreaterThan(15);
});

describe("what no provider takes", () => {
  it("ends as refused when it is the message itself, and is not told again", async () => {
    const { files } = filesOver();
    const model = ({ messages }: { messages: unknown }) =>
      JSON.stringify(messages).includes("venom") ? refused() : { text: "Fine." };
    const hall = residentOver({ files, model });
    await tell(hall, message("a"), message("b", { text: "venom" }), message("c"));
    expect(hall.told.map(({ end }) => end.outcome)).toEqual(["answered", "refused", "answered"]);
    expect(hall.asked.at(-1)?.texts).toEqual([
      "[from the person, cli/default]\na",
      "Fine.",
      expect.stringMatching(/^\[from Guildhall\]\nA message and its answer are omitted here/),
      "[from the person, cli/default]\nc",
    ]);
    expect(sessionArchives(files)).toEqual([]);
  });

  it("is set aside when it is what was said before, and the answer goes on", async () => {
    const { files } = filesOver();
    let isStrict = false;
    const model = ({ messages }: { messages: unknown }) =>
      isStrict && JSON.stringify(messages).includes("venom") ? refused() : { text: "Fine." };
    const hall = residentOver({ files, model });
    await tell(hall, message("a", { text: "venom" }));
    isStrict = true;
    await tell(hall, message("b"), message("c"));
    expect(hall.told.map(({ end }) => end.outcome)).toEqual(["answered", "answered", "answered"]);
    const [archive, ...others] = sessionArchives(files);
    expect([archive?.file, others]).toEqual([expect.stringMatching(/\.poisoned\.jsonl$/), []]);
    expect(linesOf(files)[0]).toMatchObject({ type: "summary", aside: true, previous: archive?.file });
    expect(types(files, archive?.file)).toEqual(["message", "answer", "ended", "message"]);
    expect(types(files).slice(1)).toEqual([...["message", "answer", "ended"], ...["message", "answer", "ended"]]);
    expect(hall.asked.at(-1)?.texts[1]).toBe("[from the person, cli/default]\nb");
  });

  it("is set aside when it is what a tool brought, and the message is answered all the same", async () => {
    const { files } = filesOver();
    const model = ({ messages }: { messages: unknown[] }) => {
      if (JSON.stringify(messages).includes("venom")) return refused();
      return messages.length === 1 ? { calls: [call("1", "look")] } : { text: "Without it, then." };
    };
    const hall = residentOver({ files, model, tools: [tool("look", { run: () => "venom" })] });
    await tell(hall, message("a"));
    expect(hall.told).toEqual([{ id: "a", end: { outcome: "answered", text: "Without it, then." } }]);
    expect(linesOf(files)[0]).toMatchObject({ aside: true, answers: 1 });
  });

  it("ends as refused also when the model itself will not go on", async () => {
    const { files } = filesOver();
    const hall = residentOver({ files, model: [{ text: "I cannot.", finish: "refused" }] });
    await tell(hall, message("a"), message("b"));
    expect(hall.told[0]?.end).toMatchObject({ outcome: "refused", text: "I cannot." });
    expect(hall.asked[1]?.texts).toEqual([expect.stringContaining("omitted"), "[from the person, cli/default]\nb"]);
  });

  it.each(["unknown_model", "no_key", "quota", "broken"] as const)(
    "is not thought of when the failure is %s",
    async (kind) => {
      const { files } = filesOver();
      const hall = residentOver({ files, model: [{ text: "One." }, new ModelFailure(kind, "No.")] });
      await tell(hall, message("a"), message("b"));
      expect(hall.told[1]?.end).toEqual({ outcome: "failed", text: "", error: "No." });
      expect([sessionArchives(files), hall.asked.length]).toEqual([[], 2]);
    },
  );
});

import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { call, tool } from "../../test/fakes/agent.ts";
import { message, residentOver } from "../../test/fakes/resident.ts";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";
import type { SessionEntry, SessionMessage } from "../contract/runs/session.ts";
import { Files } from "../store/files/files.ts";
import type { ResidentQuestion } from "./resident-ports.ts";
import { sessionArchives } from "./session-files.ts";

/** `npm run test:random` tries more of them. */
const LIVES = Number(process.env.GUILDHALL_LIVES ?? 20);

type Step = { deliver: "plain" | "quiet" | "working" } | { crashAt: number } | { leave: true };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ deliver: fc.constantFrom("plain" as const, "quiet" as const, "working" as const) }),
    },
    { weight: 3, arbitrary: fc.record({ crashAt: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 1, arbitrary: fc.constant({ leave: true } as const) },
  ),
  { minLength: 3, maxLength: 30 },
);

/** A daemon that delivers again whatever it has no receipt of, and a resident that is killed now and then. */
class Life {
  readonly #messages: SessionMessage[] = [];
  readonly #receipts = new Set<string>();
  /** Every line that was ever seen on disk. */
  readonly seen = new Set<string>();
  folder = temporaryFolder();
  crashes = 0;
  #asked = 0;
  #generation = 0;
  #happens: () => void = () => undefined;
  #living: ReturnType<typeof residentOver> | undefined;

  get messages(): readonly SessionMessage[] {
    return this.#messages;
  }

  deliver(kind: "plain" | "quiet" | "working"): void {
    const id = `${kind}-${this.#messages.length}`;
    this.#messages.push(
      message(id, { text: `${id} ${"word ".repeat(15)}`, ...(kind === "quiet" ? { quiet: true } : {}) }),
    );
    this.#here().resident.deliver(this.#messages.at(-1) as SessionMessage);
  }

  /** What is on disk when something happens for the n-th time from now on is all that the next one finds. */
  async crash(at: number): Promise<void> {
    const { resident } = this.#here();
    const next = temporaryFolder();
    const dying = new Promise<void>((resolve) => {
      let left = at;
      this.#happens = () => {
        if (--left > 0) return;
        this.#happens = () => undefined;
        this.#living = undefined;
        cpSync(this.folder, next, { recursive: true });
        resolve();
      };
    });
    await Promise.race([dying, resident.idle()]);
    this.#happens = () => undefined;
    if (this.#living !== undefined) return;
    this.crashes++;
    this.folder = next;
    for (const line of linesIn(next)) this.seen.add(line);
  }

  async leave(): Promise<void> {
    const { resident, session } = this.#here();
    await resident.leave();
    await session.close();
    this.#living = undefined;
  }

  async finish(): Promise<void> {
    await this.#here().resident.idle();
    await this.leave();
  }

  #here(): ReturnType<typeof residentOver> {
    if (this.#living !== undefined) return this.#living;
    const generation = ++this.#generation;
    const isHere = () => this.#living !== undefined && this.#generation === generation;
    const happens = () => {
      if (isHere()) this.#happens();
    };
    const act = () => {
      happens();
      return "done";
    };
    const life = residentOver({
      files: new WatchedFiles(this.folder, happens),
      model: (question) => {
        happens();
        return this.#answer(question);
      },
      tools: [tool("look", { run: act }), tool("act", { run: act, changes: true })],
      brief: { contextWindow: 300 },
      ports: {
        leaveMs: { model: 50, tool: 50 },
        onAnswered: async ({ id }) => {
          happens();
          await nextTurn();
          if (isHere()) this.#receipts.add(id);
        },
      },
    });
    this.#living = life;
    for (const each of this.#messages) if (!this.#receipts.has(each.id)) life.resident.deliver(each);
    return life;
  }

  #answer({ messages, aside }: ResidentQuestion) {
    const number = ++this.#asked;
    if (aside === true) return number % 3 === 0 ? new ModelFailure("busy", "Busy.") : { text: `Short ${number}.` };
    const usage = {
      input: JSON.stringify(messages).length / 3.5,
      output: 5,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: 0,
    };
    const last = messages.at(-1);
    const isWork = last?.role === "user" && last.text.includes("working");
    const calls = [call(`c${number}`, "look"), call(`d${number}`, "act")];
    return isWork ? { text: `Work ${number}.`, calls, usage } : { text: `Answer ${number}.`, usage };
  }
}

/** Tells of every step by which a session gets another file. */
class WatchedFiles extends Files {
  readonly #onStep: () => void;

  constructor(root: string, onStep: () => void) {
    super(root);
    this.#onStep = onStep;
  }

  override async replace(...given: Parameters<Files["replace"]>) {
    this.#onStep();
    return super.replace(...given);
  }

  override async move(from: string, to: string) {
    this.#onStep();
    return super.move(from, to);
  }

  override openLogEnd(...given: Parameters<Files["openLogEnd"]>) {
    this.#onStep();
    return super.openLogEnd(...given);
  }
}

function linesIn(folder: string): string[] {
  const session = join(folder, "session");
  return readdirSync(session)
    .filter((name) => name.endsWith(".jsonl") && name !== "next.jsonl")
    .flatMap((name) => readFileSync(join(session, name), "utf8").split("\n").slice(0, -1));
}

it(
  "whatever happens when, every message is answered once, in order, and no line is lost [S3-SES-01, S3-SES-03]",
  async () => {
    // So few in so many lives would mean that the lives are too quiet to prove anything.
    let switches = 0;
    let crashes = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (given: Step[]) => {
        const life = new Life();
        for (const step of given) {
          if ("deliver" in step) life.deliver(step.deliver);
          else if ("leave" in step) await life.leave();
          else await life.crash(step.crashAt);
        }
        await life.finish();
        await life.finish();
        const files = new Files(life.folder);
        const chain = [
          ...sessionArchives(files)
            .map(({ file }) => file)
            .reverse(),
          "current.jsonl",
        ];
        const lines = chain.map((file) => files.text(`session/${file}`).split("\n").slice(0, -1));
        // Answers of one number are one; a line that is in a file twice was written twice.
        for (const ofFile of lines) expect(new Set(ofFile).size).toBe(ofFile.length);
        const distinct = [...new Set(lines.flat())];
        for (const line of life.seen) expect(distinct).toContain(line);
        const entries = distinct.map((line) => JSON.parse(line) as SessionEntry);
        const taken = entries.flatMap((entry) => (entry.type === "message" ? [entry.id] : []));
        expect(taken).toEqual(life.messages.map(({ id }) => id));
        const ends = entries.flatMap((entry) =>
          entry.type === "ended" ? [`${entry.messageId} ${entry.outcome}`] : [],
        );
        expect(ends).toEqual(life.messages.filter(({ quiet }) => quiet !== true).map(({ id }) => `${id} answered`));
        crashes += life.crashes;
        switches += chain.length - 1;
      }),
      { numRuns: LIVES },
    );
    expect(switches).toBeGreaterThan(LIVES / 8);
    expect(crashes).toBeGreaterThan(LIVES / 8);
  },
  Math.max(60_000, LIVES * 2_000),
);

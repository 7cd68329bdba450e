import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionDamages } from "../../test/cases/sessions.ts";
import { answerOf, clock, linesOf, message } from "../../test/fakes/resident.ts";
import { filesOver, temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { SessionEntry } from "../contract/runs/session.ts";
import { Files } from "../store/files/files.ts";
import { lineText } from "../store/logs/durable-line.ts";
import { Session } from "./session.ts";
import { readSession, sessionArchives } from "./session-files.ts";

const at = "2026-11-15T12:00:00.000Z";
const said = (id: string, text = id): SessionEntry => ({ type: "message", ...message(id), text });
const { thinking: _, calls: _calls, ...answered } = answerOf({ text: "Yes." });
const answer = (text: string): SessionEntry => ({ type: "answer", ...answered, text, at });
const ended = (messageId: string): SessionEntry => ({ type: "ended", messageId, outcome: "answered", at });
const turn = (id: string): SessionEntry[] => [said(id), answer(`Re: ${id}`), ended(id)];
const summary = { text: "In short.", model: "m", usage: answered.usage, costUsd: 0, at };

function sessionOf(...entries: SessionEntry[]) {
  const { files, root } = filesOver("session");
  writeFileSync(join(root, "session/current.jsonl"), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return { files, root, session: Session.open(files, { clock }) };
}

/** Names and contents of all files of a session. */
function picture(root: string): Record<string, string> {
  const folder = join(root, "session");
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

const objectsIn = (text: string) =>
  text.split("\n").filter((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  }).length;

describe("a damaged session", () => {
  it.each(sessionDamages)(
    "with $name keeps every good line, and is the same when opened again [S3-SES-03]",
    async (damage) => {
      const { root } = filesOver("session");
      writeFileSync(join(root, "session/current.jsonl"), damage.content);
      const first = Session.open(new Files(root), { clock });
      expect(first.entries).toHaveLength(damage.entries);
      await first.close();
      const repaired = picture(root);
      expect(objectsIn(Buffer.from(repaired["current.jsonl"] ?? "", "latin1").toString("utf8"))).toBe(damage.objects);
      const kept = Object.values(repaired).reduce((sum, text) => sum + text.length, 0);
      expect(kept).toBeGreaterThanOrEqual(damage.content.length);
      const second = Session.open(new Files(root), { clock });
      expect(second.entries).toEqual(first.entries);
      await second.append(said("new"));
      await second.close();
      expect(picture(root)).toEqual({
        ...repaired,
        "current.jsonl": `${repaired["current.jsonl"]}${lineText(said("new"))}\n`,
      });
    },
  );

  it("holds of a line of twenty megabytes only what a model can use", async () => {
    const { session } = sessionOf(said("a", "x".repeat(20_000_000)));
    expect(JSON.stringify(session.entries).length).toBeLessThan(500_000);
    await session.append(said("b", "x".repeat(20_000_000)));
    expect(JSON.stringify(session.entries).length).toBeLessThan(1_000_000);
    await session.close();
  });

  it("is not opened through a link", () => {
    const { files, root } = filesOver("session");
    symlinkSync("/etc/hostname", join(root, "session/current.jsonl"));
    expect(() => Session.open(files, { clock })).toThrow(/is a link/);
  });
});

describe("a session", () => {
  it("is made where there is none, and has on disk what was appended [S3-SES-01]", async () => {
    const { files } = filesOver();
    const session = Session.open(files, { clock });
    await Promise.all(turn("a").map((entry) => session.append(entry)));
    expect(linesOf(files)).toEqual(turn("a"));
    await session.close();
    await session.close();
    await expect(session.append(said("b"))).rejects.toThrow();
  });

  it("knows which message is not dealt with, and how the others ended", async () => {
    const { session } = sessionOf(
      ...turn("a"),
      { ...said("q"), quiet: true } as SessionEntry,
      said("b"),
      answer("Well,"),
    );
    expect(session.unfinished()).toEqual(message("b"));
    expect([session.has("a"), session.has("q"), session.has("b"), session.has("c")]).toEqual([true, true, true, false]);
    expect(session.endOf("a")).toEqual({ outcome: "answered", text: "Re: a" });
    expect(session.endOf("b")).toBeUndefined();
    await session.append(ended("b"));
    expect(session.unfinished()).toBeUndefined();
    expect(session.endOf("b")).toEqual({ outcome: "answered", text: "Well," });
    await session.close();
  });

  it("loads the end of a long file alone, from a message on, and still finds what was dealt with shortly before", async () => {
    const long = "x".repeat(40_000);
    const many = Array.from({ length: 300 }, (_, number) => [
      said(`m${number}`, long),
      answer("Yes."),
      ended(`m${number}`),
    ]);
    const { session, files } = sessionOf(...many.flat());
    expect(session.entries[0]?.type).toBe("message");
    expect(session.unread).toBeGreaterThan(1_000_000);
    const [first] = readSession(files, { before: session.unread, limit: 1 }).lines;
    expect(first?.entry.type).toBe("ended");
    const before = first?.entry.type === "ended" ? first.entry.messageId : "";
    expect(session.endOf(before)).toEqual({ outcome: "answered", text: "Yes." });
    expect(session.has("m0")).toBe(false);
    await session.close();
  });

  it("lets go of the oldest turns when it holds more than any model can be told", async () => {
    const { session, files } = sessionOf();
    const long = "x".repeat(1_000_000);
    for (let number = 0; number < 40; number++)
      await Promise.all([said(`m${number}`, long), ended(`m${number}`)].map((entry) => session.append(entry)));
    expect(session.entries.length).toBeLessThan(60);
    expect(session.entries[0]?.type).toBe("message");
    const [last] = readSession(files, { before: session.unread, limit: 1 }).lines;
    const [first] = session.entries;
    expect(`m${Number(last?.entry.type === "ended" && last.entry.messageId.slice(1)) + 1}`).toBe(
      first?.type === "message" ? first.id : "",
    );
    await session.close();
  });

  it("keeps the old file under its time and begins the new one with a summary that names it [S3-SES-02]", async () => {
    const { session, files } = sessionOf(...turn("a"), said("b"));
    await session.succeed({ summary, kept: [said("b")] });
    await session.append(ended("b"));
    await session.succeed({ summary, kept: [] });
    await session.succeed({ summary: { ...summary, aside: true }, kept: [] });
    await session.close();
    const [first, second, third] = ["Z.jsonl", "Z-2.jsonl", "Z-3.poisoned.jsonl"].map(
      (end) => `2026-11-15T12-00-00.000${end}`,
    );
    expect(sessionArchives(files).map(({ file }) => file)).toEqual([third, second, first]);
    expect(linesOf(files, first)).toEqual([...turn("a"), said("b")]);
    expect(linesOf(files, second)).toEqual([{ type: "summary", ...summary, previous: first }, said("b"), ended("b")]);
    expect(linesOf(files)).toEqual([{ type: "summary", ...summary, aside: true, previous: third }]);
    const again = Session.open(files, { clock });
    expect(again.endOf("b")).toBeUndefined();
    await again.close();
  });

  it("knows after a switch and a restart what was dealt with before it", async () => {
    const { session, files } = sessionOf(...turn("a"), said("b"));
    await session.succeed({ summary, kept: [said("b")] });
    await session.close();
    const again = Session.open(files, { clock });
    expect(again.endOf("a")).toEqual({ outcome: "answered", text: "Re: a" });
    expect(again.unfinished()?.id).toBe("b");
    await again.close();
  });
});

/** Stops before its n-th step, as a process that is killed there. */
class DyingFiles extends Files {
  #steps: number;

  constructor(root: string, steps: number) {
    super(root);
    this.#steps = steps;
  }

  override async replace(...given: Parameters<Files["replace"]>) {
    this.#step();
    return super.replace(...given);
  }

  override async move(from: string, to: string) {
    this.#step();
    return super.move(from, to);
  }

  override openLogEnd(...given: Parameters<Files["openLogEnd"]>) {
    this.#step();
    return super.openLogEnd(...given);
  }

  #step(): void {
    if (this.#steps-- === 0) throw new Error("killed");
  }
}

describe("a switch to a new file that is interrupted", () => {
  it.each([0, 1, 2, 3])("after step %i leaves a session that goes on, and no line is lost", async (steps) => {
    const { root } = filesOver("session");
    const before = [...turn("a"), said("b"), answer("Well,")];
    writeFileSync(join(root, "session/current.jsonl"), before.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const session = Session.open(new DyingFiles(root, steps + 1), { clock });
    await expect(session.succeed({ summary, kept: before.slice(3) })).rejects.toThrow("killed");
    await expect(session.append(said("c"))).rejects.toThrow("killed");
    const killed = temporaryFolder();
    cpSync(root, killed, { recursive: true });
    for (let opened = 0; opened < 2; opened++) {
      const again = Session.open(new Files(killed), { clock });
      expect(again.unfinished()?.id).toBe("b");
      expect(again.endOf("a")).toEqual({ outcome: "answered", text: "Re: a" });
      expect(again.entries.slice(-2)).toEqual(before.slice(-2));
      expect(again.entries[0]?.type).toBe(steps < 2 ? "message" : "summary");
      await again.close();
    }
    const all = Object.values(picture(killed)).join("");
    for (const entry of before) expect(all).toContain(JSON.stringify(entry));
    expect(Object.keys(picture(killed))).toHaveLength(steps < 2 ? 1 : 2);
  });

  it("is finished also where somebody made an empty file meanwhile", async () => {
    const { root } = filesOver("session");
    writeFileSync(
      join(root, "session/next.jsonl"),
      `${JSON.stringify({ type: "summary", ...summary, previous: "x" })}\n`,
    );
    writeFileSync(join(root, "session/current.jsonl"), "");
    const session = Session.open(new Files(root), { clock });
    expect(session.entries).toHaveLength(1);
    await session.append(said("a"));
    await session.close();
    expect(Object.keys(picture(root))).toEqual(["current.jsonl"]);
  });
});

describe("reading a session in pages", () => {
  it("goes from the last page to the first and tells where each line stands", async () => {
    const { session, files } = sessionOf(...turn("a"), ...turn("b"), said("c"));
    const last = readSession(files, { limit: 3 });
    expect(last.lines.map(({ entry }) => entry)).toEqual([...turn("b").slice(1), said("c")]);
    const middle = readSession(files, { limit: 3, before: last.before });
    const first = readSession(files, { limit: 3, before: middle.before });
    expect([...first.lines, ...middle.lines].map(({ entry }) => entry)).toEqual([...turn("a"), said("b")]);
    expect([first.lines[0]?.offset, first.before]).toEqual([0, undefined]);
    await session.close();
  });

  it("finds nothing where nothing was said yet", () => {
    const { files } = filesOver();
    expect(readSession(files, { limit: 5 })).toEqual({
      file: "current.jsonl",
      lines: [],
      before: undefined,
      archives: [],
    });
  });

  it("reads no file but those of the session", () => {
    const { files, root } = filesOver("session");
    mkdirSync(join(root, "memory"));
    writeFileSync(join(root, "memory/secret.jsonl"), "{}\n");
    writeFileSync(join(root, "session/notes.jsonl"), "{}\n");
    symlinkSync("/etc/hostname", join(root, "session/2026-11-15T12-00-00.000Z.jsonl"));
    for (const file of ["../memory/secret.jsonl", "notes.jsonl", "/etc/passwd", "", "current.jsonl.torn-3"])
      expect(() => readSession(files, { file, limit: 1 })).toThrow(/A session has no file/);
    expect(() => readSession(files, { file: "2026-11-15T12-00-00.000Z.jsonl", limit: 1 })).toThrow(/is a link/);
  });
});

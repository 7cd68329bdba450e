import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { ChannelMessage } from "../../contract/documents/channel.ts";
import { Files } from "../../store/files/files.ts";
import { ChannelFile, channelPath } from "./channel-file.ts";
import { Channels } from "./channels.ts";

const SHOP = { type: "project", id: "shop" } as const;
const clock = () => new Date("2026-01-01T00:00:00.000Z");

function place(): { files: Files; path: string; open: () => ChannelFile } {
  const files = new Files(temporaryFolder());
  mkdirSync(join(files.root, "projects/shop"), { recursive: true });
  return {
    files,
    path: join(files.root, channelPath(SHOP)),
    open: () => new ChannelFile(SHOP, { files, clock }),
  };
}

const message = (seq: number, more: Partial<ChannelMessage> = {}): ChannelMessage => ({
  seq,
  id: `m-${seq}`,
  at: clock().toISOString(),
  from: "person",
  to: "project",
  text: `text ${seq}`,
  ...more,
});
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const seqs = (messages: readonly ChannelMessage[]) => messages.map(({ seq }) => seq);
/** A question and what came of it, so often. */
const talk = (times: number, text = "x".repeat(200)) =>
  Array.from({ length: times }, (_, at) => [
    message(2 * at + 1, { text }),
    message(2 * at + 2, { text, from: "project", to: "person", id: `a-${at}` }),
    { received: 2 * at + 1, by: "project", settled: 2 * at + 2, at: "" },
  ]).flat();

describe("a channel's file", () => {
  it("is read although lines are torn, foreign, copied or claim too much", async () => {
    const { path, open } = place();
    const odd = ["not json", "[1]", "null", '{"seq":"x"}', "", '{"received":1000000,"by":"project","at":""}'];
    writeFileSync(
      path,
      `${lines([message(1), message(2)])}${odd.join("\n")}\n${lines([message(1), message(2, { id: "m-1" }), message(5)])}{"seq":6,"id":"m-6"`,
    );
    const file = open();
    expect(seqs(file.open("project"))).toEqual([5]);
    expect(file.lastSeq).toBe(5);
    const { message: next } = await file.add({ id: "new", from: "person", to: "project", text: "Hello" });
    expect(next.seq).toBe(6);
    expect(seqs(open().open("project"))).toEqual([5, 6]);
    expect(seqs(open().page({ before: 6, limit: 2 }))).toEqual([2, 5]);
  });

  it("keeps a last line that only lacks its newline, for whoever was told of it has dealt with it", async () => {
    const { path, open } = place();
    writeFileSync(path, lines([message(1), message(2)]).trimEnd());
    const file = open();
    expect(seqs(file.open("project"))).toEqual([1, 2]);
    await file.add({ id: "new", from: "person", to: "project", text: "Hello" });
    expect(seqs(open().page({ limit: 10 }))).toEqual([1, 2, 3]);
  });

  it("goes on when it is removed meanwhile, and does not write through a link or into a folder", async () => {
    const { path, open, files } = place();
    writeFileSync(path, lines(talk(400)));
    const file = open();
    expect(file.lastSeq).toBe(800);
    rmSync(path);
    const draft = { id: "new", from: "person", to: "project", text: "Hello" } as const;
    expect((await file.add(draft)).message.seq).toBe(801);
    const elsewhere = join(files.root, "elsewhere.txt");
    writeFileSync(elsewhere, "mine\n");
    rmSync(path);
    symlinkSync(elsewhere, path);
    await expect(file.add({ ...draft, id: "linked" })).rejects.toMatchObject({ code: "path_refused" });
    expect(() => open().lastSeq).toThrow("is a link");
    expect(readFileSync(elsewhere, "utf8")).toBe("mine\n");
    rmSync(path);
    mkdirSync(path);
    const troubles: string[] = [];
    const channels = new Channels({ files, clock, onTrouble: (what) => troubles.push(what) });
    mkdirSync(join(files.root, "channels/http"), { recursive: true });
    writeFileSync(join(files.root, "channels/http/a.jsonl"), lines([message(1, { to: "main" })]));
    expect(channels.withOpen("main").map(({ address }) => address.id)).toEqual(["a"]);
    expect(channels.views()).toMatchObject([{ type: "http", id: "a", open: 1 }]);
    expect(troubles).toHaveLength(2);
  });

  it("answers pages at all edges, also beyond what is kept in memory and over gaps", () => {
    const { path, open } = place();
    const kept = talk(1_000).filter((value) => !("seq" in value) || value.seq <= 1_700 || value.seq > 1_950);
    writeFileSync(path, lines(kept));
    const file = open();
    expect(file.lastSeq).toBe(2_000);
    expect(seqs(file.page({ limit: 3 }))).toEqual([1_998, 1_999, 2_000]);
    expect(seqs(file.page({ limit: 5_000 }))).toHaveLength(1_750);
    expect(seqs(file.page({ before: 1_953, limit: 4 }))).toEqual([1_699, 1_700, 1_951, 1_952]);
    expect(seqs(file.page({ before: 3, limit: 10 }))).toEqual([1, 2]);
    expect(seqs(file.page({ before: 1, limit: 10 }))).toEqual([]);
    expect(seqs(file.page({ after: 0, limit: 2 }))).toEqual([1, 2]);
    expect(seqs(file.page({ after: 1_699, limit: 3 }))).toEqual([1_700, 1_951, 1_952]);
    expect(seqs(file.page({ after: 1_999, limit: 3 }))).toEqual([2_000]);
    expect(seqs(file.page({ after: 2_000, limit: 3 }))).toEqual([]);
    expect(seqs(file.page({ after: 5, before: 8, limit: 10 }))).toEqual([6, 7]);
    expect(file.find("m-1")?.seq).toBe(1);
    expect(file.find("m-0")).toBeUndefined();
  });

  it("finds what is open far back, and looks no further than to where all was dealt with", () => {
    const { path, open } = place();
    const note = message(1, { to: "main", quiet: true });
    writeFileSync(path, lines([note, ...talk(9_000).slice(3)].map((value) => ({ ...value, settled: undefined }))));
    const file = open();
    expect(seqs(file.open("main"))).toEqual([1]);
    expect(file.open("project")).toEqual([]);
    expect(file.find("m-3")?.seq).toBe(3);
    file.release();
    expect(file.isLoaded).toBe(true);
  });

  it("knows what was said among 100,000 messages, and goes on behind them", async () => {
    const { path, open } = place();
    const every = talk(10_000);
    for (let part = 0; part < 5; part++)
      appendFileSync(
        path,
        lines(
          every.map((value) =>
            "seq" in value
              ? { ...value, seq: value.seq + part * 20_000, id: `${part}-${value.id}` }
              : { ...value, received: value.received + part * 20_000, settled: value.settled + part * 20_000 },
          ),
        ),
      );
    const file = open();
    expect(file.open("project")).toEqual([]);
    expect(file.lastSeq).toBe(100_000);
    await file.add({ id: "first", from: "person", to: "project", text: "x" });
    for (let at = 0; at < 50; at++) {
      const { message: said } = await file.add({ id: `new-${at}`, from: "person", to: "project", text: "x" });
      await file.received("project", said);
    }
    expect(await file.add({ id: "0-m-1", from: "person", to: "project", text: "x" })).toMatchObject({ isNew: false });
    expect(file.lastSeq).toBe(100_051);
  });
});

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { Files } from "../store/files.ts";
import { ChannelFile } from "./channel-file.ts";

const address = { type: "http", id: "default" } as const;
const clock = () => new Date("2026-11-15T10:00:00Z");

function channel(root = temporaryFolder()) {
  const path = join(root, "channels/http/default.jsonl");
  return { root, path, file: new ChannelFile(address, { files: new Files(root), clock }) };
}

const said = (id: string, to: "main" | "person" = "main") => ({
  id,
  from: to === "main" ? ("person" as const) : ("main" as const),
  to,
  text: `text of ${id}`,
});
const idsOf = (messages: { id: string }[]) => messages.map(({ id }) => id);

it("numbers what is said, keeps it over a restart, and says one thing once", async () => {
  const { root, file } = channel();
  expect(file.lastSeq).toBe(0);
  const all = await Promise.all(["a", "b", "a"].map((id) => file.add(said(id))));
  expect(all.map(({ message, isNew }) => [message.seq, isNew])).toEqual([
    [1, true],
    [2, true],
    [1, false],
  ]);
  const again = channel(root).file;
  expect(idsOf(again.page({ limit: 10 }))).toEqual(["a", "b"]);
  expect((await again.add(said("b"))).isNew).toBe(false);
});

it("is open until it was dealt with, and one receipt stands for all before it", async () => {
  const { root, file } = channel();
  for (const id of ["a", "b", "c"]) await file.add(said(id));
  await file.add(said("answer", "person"));
  const [, b] = file.page({ limit: 10 });
  if (b !== undefined) await file.received("main", b, "answered");
  expect(idsOf(file.open("main"))).toEqual(["c"]);
  expect(idsOf(channel(root).file.open("main"))).toEqual(["c"]);
});

it("keeps every good line of a file that is torn or has foreign lines in it", async () => {
  const { root, path, file } = channel();
  await file.add(said("a"));
  appendFileSync(path, 'garbage\n{"seq":"x"}\n{"half');
  const mended = channel(root).file;
  expect(idsOf(mended.open("main"))).toEqual(["a"]);
  await mended.add(said("b"));
  expect(idsOf(channel(root).file.page({ limit: 10 }))).toEqual(["a", "b"]);
  expect(readFileSync(path, "utf8")).toContain("garbage\n");
});

it("finds, pages and opens what lies far back in a long file", async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "channels/http"), { recursive: true });
  const line = (seq: number, to: string) =>
    JSON.stringify({ seq, id: `m${seq}`, at: "2026-11-15T10:00:00Z", from: "person", to, text: "x".repeat(3_000) });
  const lines = Array.from({ length: 3_000 }, (_, at) => line(at + 1, at === 4 ? "main" : "person"));
  writeFileSync(join(root, "channels/http/default.jsonl"), `${lines.join("\n")}\n`);
  const { file } = channel(root);
  expect(idsOf(file.open("main"))).toEqual(["m5"]);
  expect(file.find("m2")?.seq).toBe(2);
  expect(idsOf(file.page({ after: 10, limit: 3 }))).toEqual(["m11", "m12", "m13"]);
  expect(idsOf(file.page({ before: 20, limit: 3 }))).toEqual(["m17", "m18", "m19"]);
  expect(idsOf(file.page({ limit: 2 }))).toEqual(["m2999", "m3000"]);
  expect((await file.add(said("new"))).message.seq).toBe(3_001);
});

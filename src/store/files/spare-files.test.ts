import {
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { draftFile, targetIn } from "./draft-file.ts";
import { Files } from "./files.ts";
import { namedSpare, type SpareFile, SpareFiles } from "./spare-files.ts";

function opened(folder = temporaryFolder()) {
  const spares = new SpareFiles(folder);
  onTestFinished(() => spares.close());
  return { folder, spares };
}

const filesIn = (folder: string) => readdirSync(folder);

async function taken(spares: SpareFiles): Promise<SpareFile> {
  return vi.waitUntil(() => spares.take());
}

it("has none at first, and then as many as were missing, each given once", async () => {
  const { folder, spares } = opened();
  expect([spares.take(), spares.take()]).toEqual([undefined, undefined]);
  await vi.waitUntil(() => filesIn(folder).length === 2);
  const [one, other] = [await taken(spares), await taken(spares)];
  expect(one.path).not.toBe(other.path);
  expect(statSync(one.path)).toMatchObject({ size: 0, nlink: 1, mode: 0o100600 });
  for (const spare of [one, other]) closeSync(spare.fd);
});

it("never has more than sixteen, and leaves none when it is closed, those under way included", async () => {
  const { folder, spares } = opened();
  for (let count = 0; count < 40; count++) spares.take();
  await vi.waitUntil(() => filesIn(folder).length === 16);
  const spare = await taken(spares);
  spares.close();
  expect(spares.take()).toBeUndefined();
  await vi.waitUntil(() => filesIn(folder).length === 1);
  expect(filesIn(folder)).toEqual([spare.path.slice(folder.length + 1)]);
  closeSync(spare.fd);
});

it("removes what an earlier process left, and nothing else", async () => {
  const { folder, spares } = opened();
  await taken(spares).then(({ fd }) => closeSync(fd));
  writeFileSync(join(folder, "00000001.jsonl"), "");
  const left = filesIn(folder);
  expect(left.filter((name) => name.startsWith(".spare-"))).not.toEqual([]);
  new SpareFiles(folder);
  expect(filesIn(folder)).toEqual(["00000001.jsonl"]);
});

it("gives a file its name only where that is free", async () => {
  const { folder, spares } = opened();
  const spare = await taken(spares);
  const fd = namedSpare(spare, join(folder, "new"));
  writeSync(fd as number, "text");
  closeSync(fd as number);
  expect([readFileSync(join(folder, "new"), "utf8"), existsSync(spare.path)]).toEqual(["text", false]);
  const another = await taken(spares);
  expect(namedSpare(another, join(folder, "new"))).toBeUndefined();
  expect([readFileSync(join(folder, "new"), "utf8"), existsSync(another.path)]).toEqual(["text", false]);
});

it("is used for new documents and new files of lines, whose permissions are as ever", async () => {
  const files = new Files(temporaryFolder());
  files.makeFolder("ahead");
  files.makeAhead("ahead");
  onTestFinished(() => files.endAhead());
  const ahead = () => filesIn(join(files.root, "ahead")).map((name) => statSync(join(files.root, "ahead", name)).ino);
  const document = async (name: string) => {
    const target = files.target(name);
    const draft = await files.draft(target, "text");
    draft.place();
    draft.close();
    target.close();
  };
  const lines = async (name: string) => {
    for (const line of ["1\n", "2\n"]) files.appendBytes(name, Buffer.from(line));
  };
  for (const [write, content] of [
    [document, "text"],
    [lines, "1\n2\n"],
  ] as const) {
    let count = 0;
    // One that is there may not be known yet.
    const name = await vi.waitUntil(async () => {
      const before = ahead();
      const path = `${write.name}-${++count}`;
      await write(path);
      return before.includes(statSync(join(files.root, path)).ino) ? path : undefined;
    });
    expect(statSync(join(files.root, name))).toMatchObject({ nlink: 1, mode: 0o100600 });
    expect(readFileSync(join(files.root, name), "utf8")).toBe(content);
  }
});

const elsewhere = otherDisk();

it.skipIf(elsewhere === undefined)("is written beside its place where that is on another disk", async () => {
  const { spares } = opened(elsewhere);
  const folder = temporaryFolder();
  const target = targetIn({ place: ".", at: (name) => join(folder, name), close: () => undefined }, "a.md");
  writeFileSync(target.path, "before");
  const draft = await draftFile(target, { content: "after", sync: "later", spare: await taken(spares) });
  const { inode } = draft.place();
  draft.close();
  expect([filesIn(folder), readFileSync(target.path, "utf8")]).toEqual([["a.md"], "after"]);
  expect(inode).toBe(statSync(target.path).ino);
  const spare = await taken(spares);
  expect(namedSpare(spare, join(folder, "new"))).toBeUndefined();
  expect(existsSync(spare.path)).toBe(false);
});

/** A folder on another disk than that of temporary files, if there is one here that can be written. */
function otherDisk(): string | undefined {
  for (const place of ["/dev/shm", "/tmp", "/var/tmp"])
    try {
      if (statSync(place).dev === statSync(tmpdir()).dev) continue;
      const folder = mkdtempSync(join(place, "guildhall-test-"));
      process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
      return folder;
    } catch {}
  return undefined;
}

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { distrustSnapshot, isSnapshotFailure, makeSnapshot, snapshotFlags } from "./start-snapshot.ts";

/** Says when it was loaded and what differs from process to process. */
const PROGRAM = `
  const { startupSnapshot } = require("node:v8");
  const loaded = startupSnapshot.isBuildingSnapshot() ? "before" : "now";
  const main = () => console.log(JSON.stringify({
    loaded,
    args: process.argv.slice(2),
    home: process.env.HOME,
    chance: [Math.random(), require("node:crypto").randomUUID(), require("node:crypto").randomBytes(8).toString("hex")],
  }));
  if (loaded === "before") startupSnapshot.setDeserializeMainFunction(main);
  else main();
`;

function program(code: string, name = "program.cjs"): string {
  const entry = join(temporaryFolder(), name);
  writeFileSync(entry, code);
  return entry;
}

function run(entry: string, flags = snapshotFlags(entry)) {
  const env = { HOME: "/home/of/this/start" };
  return JSON.parse(execFileSync(process.execPath, [...flags, entry, "a b"], { encoding: "utf8", env }));
}

it("starts a program whose code was loaded before, with its own arguments, environment and chance", async () => {
  const entry = program(PROGRAM);
  expect(snapshotFlags(entry)).toEqual([]);
  expect(run(entry)).toMatchObject({ loaded: "now" });
  expect(await makeSnapshot(entry)).toBe(true);
  const [one, other] = [run(entry), run(entry)];
  for (const said of [one, other])
    expect(said).toMatchObject({ loaded: "before", args: ["a b"], home: "/home/of/this/start" });
  for (const [index, value] of one.chance.entries()) expect(other.chance[index]).not.toBe(value);
});

it("makes one once, and removes the drafts of those who were ended while they made one", async () => {
  const entry = program(PROGRAM);
  const [left, fresh] = ["left.1.draft", "fresh.2.draft"].map((name) => join(dirname(entry), name));
  for (const path of [left, fresh]) writeFileSync(path ?? "", "");
  utimesSync(left ?? "", 0, 0);
  expect(await makeSnapshot(entry)).toBe(true);
  const made = statSync(snapshotFlags(entry)[1] ?? "");
  expect(await makeSnapshot(entry)).toBe(true);
  expect(statSync(snapshotFlags(entry)[1] ?? "").ino).toBe(made.ino);
  expect(readdirSync(dirname(entry)).filter((name) => name.endsWith(".draft"))).toEqual(["fresh.2.draft"]);
});

it("makes none of sources, and tries only once with a program that can't be kept", async () => {
  const source = program(PROGRAM, "program.ts");
  expect(await makeSnapshot(source)).toBe(false);
  expect(readdirSync(dirname(source))).toEqual(["program.ts"]);
  const broken = program("throw new Error('not here');");
  expect(await makeSnapshot(broken)).toBe(false);
  writeFileSync(broken, PROGRAM);
  expect(await makeSnapshot(broken)).toBe(false);
  expect(run(broken)).toMatchObject({ loaded: "now" });
});

it("is not used by the same program at another place", async () => {
  const entry = program(PROGRAM);
  await makeSnapshot(entry);
  const moved = join(temporaryFolder(), "moved");
  renameSync(dirname(entry), moved);
  expect(snapshotFlags(join(moved, "program.cjs"))).toEqual([]);
});

it("is not used once a process could not get ready from it, unless it was ended from outside", async () => {
  const entry = program(PROGRAM);
  await makeSnapshot(entry);
  const flags = snapshotFlags(entry);
  writeFileSync(flags[1] ?? "", "no snapshot");
  const { status, signal } = spawnSync(process.execPath, [...flags, entry], { stdio: "ignore" });
  expect(isSnapshotFailure(status, signal)).toBe(true);
  for (const code of [1, 14]) expect(isSnapshotFailure(code, null)).toBe(true);
  for (const [code, end] of [
    [0, null],
    [null, "SIGKILL"],
    [null, "SIGTERM"],
  ] as const)
    expect(isSnapshotFailure(code, end)).toBe(false);
  distrustSnapshot(entry);
  expect(snapshotFlags(entry)).toEqual([]);
  expect(await makeSnapshot(entry)).toBe(false);
  expect(existsSync(flags[1] ?? "")).toBe(true);
});

it("is passed over where it can't be read", async () => {
  const entry = program(PROGRAM);
  await makeSnapshot(entry);
  const file = snapshotFlags(entry)[1] ?? "";
  chmodSync(file, 0o000);
  // Root may read everything.
  expect(snapshotFlags(entry)).toEqual(process.getuid?.() === 0 ? ["--snapshot-blob", file] : []);
});

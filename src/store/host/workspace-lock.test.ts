import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { WorkspaceLock } from "./workspace-lock.ts";

const holder = { pid: process.pid, startedAt: "2026-11-15T12:00:00.000Z", version: "0.1.0" };

describe("the lock of a workspace", () => {
  it("is given to one at a time, and tells who has it", () => {
    const folder = temporaryFolder();
    const lock = WorkspaceLock.take(folder, holder);
    expect(() => WorkspaceLock.take(folder, { ...holder, pid: 1 })).toThrow(`process ${process.pid}`);
    expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8"))).toEqual(holder);
    lock.release();
    WorkspaceLock.take(folder, holder).release();
  });

  it("tells where the daemon listens once that is known", () => {
    const folder = temporaryFolder();
    const lock = WorkspaceLock.take(folder, holder);
    lock.tell({ ...holder, url: "http://127.0.0.1:4777" });
    expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8")).url).toBe("http://127.0.0.1:4777");
    lock.release();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("is readable by its owner only", () => {
    const folder = temporaryFolder();
    const lock = WorkspaceLock.take(folder, holder);
    for (const name of ["lock", "lock.db"]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    lock.release();
  });

  it("falls free the moment its holder is killed", async () => {
    const folder = temporaryFolder();
    const script = `
      import { WorkspaceLock } from ${JSON.stringify(new URL("./workspace-lock.ts", import.meta.url).href)};
      globalThis.lock = WorkspaceLock.take(${JSON.stringify(folder)}, { pid: process.pid, startedAt: "x", version: "x" });
      process.stdout.write("taken");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", script]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(() => WorkspaceLock.take(folder, holder)).toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    WorkspaceLock.take(folder, holder).release();
  });

  it.each([
    ["the process of another", JSON.stringify({ ...holder, pid: 1 })],
    ["no sense", "{{{"],
  ])("is not kept from anyone by a file that tells %s", (_name, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "lock"), content);
    const lock = WorkspaceLock.take(folder, holder);
    expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8")).pid).toBe(process.pid);
    lock.release();
  });

  it("is refused without a name when the file that tells it is gone or broken", () => {
    const folder = temporaryFolder();
    const lock = WorkspaceLock.take(folder, holder);
    writeFileSync(join(folder, "lock"), "{{{");
    expect(() => WorkspaceLock.take(folder, holder)).toThrow("Another daemon is using this workspace.");
    lock.release();
  });

  it.each(["garbage, and more of it than a database begins with".repeat(40), "\0".repeat(4_096), ""])(
    "is made anew when its file is damaged (%#)",
    (content) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "lock.db"), content);
      const lock = WorkspaceLock.take(folder, holder);
      expect(() => WorkspaceLock.take(folder, holder)).toThrow(`process ${process.pid}`);
      lock.release();
    },
  );
});

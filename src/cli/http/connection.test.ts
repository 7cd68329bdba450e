import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fakeWorkspace } from "../../../test/fakes/api.ts";
import { hint } from "../../contract/words/hint.ts";
import { chooseWorkspace, findDaemon, isAlive, readDaemonNote, startCommand } from "./connection.ts";

const URL_OF_DAEMON = "http://127.0.0.1:4777";
// Beyond the largest number Linux and macOS give to a process.
const NOBODY = 2 ** 30;

let workspace = "";

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

describe("the workspace", () => {
  it("is the option, else the environment's, else .guildhall at home", () => {
    expect(chooseWorkspace("/a", { GUILDHALL_WORKSPACE: "/b" })).toBe("/a");
    expect(chooseWorkspace(undefined, { GUILDHALL_WORKSPACE: "/b" })).toBe("/b");
    expect(chooseWorkspace(undefined, { GUILDHALL_WORKSPACE: "" })).toBe(join(homedir(), ".guildhall"));
    expect(chooseWorkspace(undefined, {})).toBe(join(homedir(), ".guildhall"));
  });

  it("is absolute, and ~ is home even where no shell said so", () => {
    expect(chooseWorkspace("hall", {})).toBe(resolve("hall"));
    expect(chooseWorkspace("~/hall", {})).toBe(join(homedir(), "hall"));
  });

  it("must be named when the option is given", () => {
    expect(() => chooseWorkspace("", {})).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("the command that starts the daemon", () => {
  it("names the workspace only where it is not the one that is meant anyway", () => {
    expect(startCommand("/a", caller({ GUILDHALL_WORKSPACE: "/a" }))).toBe("guildhall up");
    expect(startCommand("/a/b-1.c", caller({}))).toBe("guildhall up --workspace /a/b-1.c");
    expect(startCommand("/my hall", caller({}))).toBe('guildhall up --workspace "/my hall"');
    expect(startCommand("/it's $HOME", caller({}))).toBe("guildhall up --workspace '/it'\\''s $HOME'");
  });
});

describe("the daemon", () => {
  it("is found through its note, with the token", () => {
    workspace = fakeWorkspace({ url: URL_OF_DAEMON, token: "secret" });
    expect(findDaemon(workspace, caller({ GUILDHALL_WORKSPACE: workspace }))).toEqual({
      pid: process.pid,
      origin: new URL(URL_OF_DAEMON),
      token: "secret",
    });
  });

  it("is away where there is no note", () => {
    workspace = mkdtempSync(join(tmpdir(), "guildhall-cli-"));
    expect(() => findDaemon(workspace, caller({ GUILDHALL_WORKSPACE: workspace }))).toThrow(
      expect.objectContaining({ code: "daemon_unreachable", exit: 6, hint: hint("daemon-start") }),
    );
  });

  it("is away when its process is gone, so that a stranger on its port is never sent the token", () => {
    workspace = fakeWorkspace({ url: URL_OF_DAEMON, token: "secret", pid: NOBODY });
    expect(() => findDaemon(workspace, caller({ GUILDHALL_WORKSPACE: workspace }))).toThrow(
      expect.objectContaining({ code: "daemon_unreachable" }),
    );
  });

  it("cannot be spoken to without the token", () => {
    workspace = fakeWorkspace({ url: URL_OF_DAEMON });
    expect(() => findDaemon(workspace, caller({ GUILDHALL_WORKSPACE: workspace }))).toThrow(
      expect.objectContaining({ code: "unauthorized", file: ".guildhall/token" }),
    );
  });

  it.each(["", "{", "null", "{}", '{"pid":0}', '{"pid":-1}', '{"pid":"1"}'])("is away when its note is %j", (note) => {
    workspace = noted(note);
    expect(readDaemonNote(workspace)).toBeUndefined();
  });

  it.each([{}, { url: "file:///etc/passwd" }, { url: "nonsense" }])(
    "is still starting without an address: %j",
    (more) => {
      workspace = noted(JSON.stringify({ pid: process.pid, ...more }));
      expect(() => findDaemon(workspace, caller({ GUILDHALL_WORKSPACE: workspace }))).toThrow(
        expect.objectContaining({ code: "daemon_unreachable", message: expect.stringContaining("still starting") }),
      );
    },
  );
});

function noted(note: string): string {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-cli-"));
  mkdirSync(join(folder, ".guildhall"));
  writeFileSync(join(folder, ".guildhall", "lock"), note);
  return folder;
}

describe("isAlive", () => {
  it("tells this process from none", () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(NOBODY)).toBe(false);
  });
});

function caller(env: Record<string, string>) {
  return { env, calledAs: "guildhall" };
}

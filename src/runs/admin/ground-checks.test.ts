import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { groundChecks, nodeCheck } from "./ground-checks.ts";
import { worstFirst } from "./health-check.ts";

describe("the doctor without a daemon", () => {
  let workspace: string;

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), "guildhall-doctor-"));
    mkdirSync(join(workspace, ".guildhall"), { mode: 0o700 });
    writeFileSync(join(workspace, ".guildhall", "token"), "secret", { mode: 0o600 });
  });

  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  const examine = () => worstFirst(groundChecks(workspace, "x"));

  it("looks at Node.js, the workspace, what must be private, the settings and the disk", () => {
    const states = Object.fromEntries(examine().map(({ id, state }) => [id, state]));
    const ok = { node: "ok", workspace: "ok", secrets: "ok", token: "ok", format: "ok", config: "ok" };
    expect(states).toEqual({ ...ok, disk: expect.any(String) });
  });

  it("names a file in a command as a shell reads it", () => {
    const odd = join(workspace, "it's");
    mkdirSync(join(odd, ".guildhall"), { mode: 0o700, recursive: true });
    writeFileSync(join(odd, ".guildhall", "token"), "secret", { mode: 0o644 });
    chmodSync(join(odd, ".guildhall", "token"), 0o644);
    const { hint = "" } = groundChecks(odd).find(({ id }) => id === "token") ?? {};
    execFileSync("sh", ["-c", hint.slice(hint.indexOf("chmod"))]);
    expect(groundChecks(odd).find(({ id }) => id === "token")?.state).toBe("ok");
  });

  it("warns of keys that were put one folder too high", () => {
    writeFileSync(join(workspace, "secrets"), "KEY=canary\n");
    const check = examine().find(({ id }) => id === "misplaced-keys");
    expect(check).toMatchObject({ state: "warning", detail: `${workspace}/secrets is ignored` });
    expect(check?.hint).toContain(`${workspace}/.guildhall/secrets`);
  });

  it.each([
    [
      "a token that others can read",
      () => chmodSync(join(workspace, ".guildhall", "token"), 0o644),
      { id: "token", detail: /0644: accessible to other users/, hint: /chmod 600 '.*\/\.guildhall\/token'/ },
    ],
    [
      "keys that others can read",
      () => writeFileSync(join(workspace, ".guildhall", "secrets"), "KEY=canary\n", { mode: 0o644 }),
      { id: "keys-file", detail: /0644: accessible to other users/, hint: /chmod 600 '.*\/\.guildhall\/secrets'/ },
    ],
    [
      "a folder of secrets that others can enter",
      () => chmodSync(join(workspace, ".guildhall"), 0o755),
      { id: "secrets", detail: /0755/, hint: /chmod 700/ },
    ],
    [
      "a config.yml that is not text",
      () => writeFileSync(join(workspace, "config.yml"), Buffer.from([0xff, 0xfe])),
      { id: "config", detail: /cannot be read/, hint: /UTF-8/ },
    ],
    [
      "a config.yml that would stop a start",
      () => writeFileSync(join(workspace, "config.yml"), "version: 1\nserver:\n  port: abc\n"),
      { id: "config", detail: /server\.port.*\(config\.yml:3\)/, hint: /Correct config\.yml/ },
    ],
    [
      "a config.yml that is a folder",
      () => mkdirSync(join(workspace, "config.yml")),
      { id: "config", detail: /cannot be read/, hint: /UTF-8/ },
    ],
    [
      "no workspace",
      () => rmSync(workspace, { recursive: true }),
      { id: "workspace", detail: /not found at/, hint: /^'guildhall up --workspace x' creates it/ },
    ],
  ])("puts %s first, with what helps", (_, spoil, { id, detail, hint }) => {
    spoil();
    expect(examine()[0]).toMatchObject({
      ...{ id, state: "failed", detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) },
    });
  });

  it("creates nothing", () => {
    rmSync(workspace, { recursive: true });
    examine();
    expect(existsSync(workspace)).toBe(false);
  });
});

describe("the check of Node's version", () => {
  it("wants 24", () => {
    expect(nodeCheck("24.0.0").state).toBe("ok");
    expect(nodeCheck("22.19.0").state).toBe("failed");
  });
});

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadSecrets, makeSecrets, withSecrets } from "./secrets.ts";

function secretsFile(content: string | Buffer, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "secrets");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe("the secrets file", () => {
  it("may be missing", () => {
    expect(loadSecrets("/nowhere/secrets")).toEqual({ values: {}, warning: undefined });
  });

  it("holds names and values as people write them", () => {
    const path = secretsFile(
      [
        "\ufeffPLAIN=sk-1",
        "# a comment",
        "",
        "export EXPORTED = sk-2 ",
        'QUOTED="sk 3" # mine',
        "SINGLE='sk-4'",
        "COMMENTED=sk-5 # yours",
        "EQUALS=a=b#c",
        "EMPTY=",
        "",
      ].join("\r\n"),
    );
    expect(loadSecrets(path)).toEqual({
      values: {
        PLAIN: "sk-1",
        EXPORTED: "sk-2",
        QUOTED: "sk 3",
        SINGLE: "sk-4",
        COMMENTED: "sk-5",
        EQUALS: "a=b#c",
        EMPTY: "",
      },
      warning: undefined,
    });
  });

  it("stays open where somebody only looks, so that whoever starts with it is told", () => {
    const path = secretsFile("A=1\n", 0o644);
    expect(loadSecrets(path, { isLooking: true })).toEqual({ values: { A: "1" }, warning: undefined });
    expect(loadSecrets(path).warning).toContain("other users may have read the keys");
  });

  it("is closed to others when it was open, and that is said", () => {
    const path = secretsFile("KEY=sk-CANARY\n", 0o644);
    const { values, warning } = loadSecrets(path);
    expect(values).toEqual({ KEY: "sk-CANARY" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(warning).toContain("readable by others");
    expect(loadSecrets(path).warning).toBeUndefined();
  });

  it("names the lines it does not understand, and nothing of what they hold", () => {
    const { values, warning } = loadSecrets(secretsFile("sk-CANARY\nKEY=1\n1BAD=sk-CANARY\n"));
    expect(values).toEqual({ KEY: "1" });
    expect(warning).toContain("line 1, 3");
    expect(warning).not.toContain("CANARY");
  });

  it("is made for its owner alone, with words about its form and no key, and what is there stays", () => {
    const path = join(secretsFile("KEY=1\n"), "../made");
    makeSecrets(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadSecrets(path)).toEqual({ values: {}, warning: undefined });
    expect(readFileSync(path, "utf8")).toContain("NAME=value");
    writeFileSync(path, "KEY=2\n");
    makeSecrets(path);
    expect(loadSecrets(path).values).toEqual({ KEY: "2" });
  });

  it("that is no such file stops the start with a reason", () => {
    const folder = join(secretsFile(""), "..", "folder");
    mkdirSync(folder);
    for (const path of [folder, secretsFile(Buffer.alloc(200_000, "x"))])
      expect(() => loadSecrets(path)).toThrow(
        expect.objectContaining({ code: "config_invalid", file: ".guildhall/secrets" }),
      );
  });

  it("stands behind the environment, where an empty variable counts as not set", () => {
    const secrets = { A: "file", B: "file", C: "file" };
    expect(withSecrets({ A: "set", B: "" }, secrets)).toMatchObject({ A: "set", B: "file", C: "file" });
  });
});

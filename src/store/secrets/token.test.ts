import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { loadToken } from "./token.ts";

describe("the token", () => {
  it("is made once, of 256 bits, for its owner only", () => {
    const path = place();
    const { token, warning } = loadToken(path);
    expect(Buffer.from(token, "base64url").length).toBe(32);
    expect(warning).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadToken(path)).toEqual({ token, warning: undefined });
  });

  it("differs from workspace to workspace", () => {
    expect(loadToken(place()).token).not.toBe(loadToken(place()).token);
  });

  it.each([
    "",
    "\n",
    "short\n",
    `${"a".repeat(42)}\n`,
    `${"a".repeat(43)} and more\n`,
    `${"é".repeat(43)}\n`,
    "\0".repeat(50),
  ])("is replaced when it is too weak or makes no sense: %j", (content) => {
    const path = place(content);
    const { token, warning } = loadToken(path);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token).not.toBe(content.trim());
    expect(warning).toContain("replaced");
    expect(readFileSync(path, "utf8").trim()).toBe(token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([0o644, 0o640, 0o660, 0o604])("is closed to others when its mode was %o, and that is told", (mode) => {
    const path = place(`${"k".repeat(43)}\n`);
    chmodSync(path, mode);
    const { token, warning } = loadToken(path);
    expect(token).toBe("k".repeat(43));
    expect(warning).toContain("readable by others");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("that is too weak and open to others is both replaced and closed", () => {
    const path = place("weak\n");
    chmodSync(path, 0o644);
    expect(loadToken(path).token).not.toBe("weak");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is never written through a link", () => {
    const target = place("not a token\n");
    for (const aim of [target, "nowhere"]) {
      const link = join(target, "..", `link to ${aim.length}`);
      symlinkSync(aim, link);
      expect(loadToken(link).token).toMatch(/^[\w-]{43}$/);
      expect(statSync(link).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(target, "utf8")).toBe("not a token\n");
  });
});

function place(content?: string): string {
  const folder = temporaryFolder();
  const path = join(folder, "token");
  if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
  return path;
}

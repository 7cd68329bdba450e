import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { codeOf } from "../files/regular-file.ts";

const TOKEN = /^[\w-]{43,}$/;

/** Reads the secret that every request must show, or makes it: 256 bits, readable by its owner only. */
export function loadToken(path: string): { token: string; warning: string | undefined } {
  try {
    makeToken(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  // A link may lead nowhere.
  const token = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (!TOKEN.test(token)) {
    // A new file, not new content: the old one may be open to others, or a link.
    rmSync(path, { force: true });
    makeToken(path);
    return { token: readFileSync(path, "utf8").trim(), warning: "the token was too weak and has been replaced" };
  }
  if ((statSync(path).mode & 0o077) === 0) return { token, warning: undefined };
  chmodSync(path, 0o600);
  return { token, warning: "the token was readable by others; its permissions were corrected" };
}

function makeToken(path: string): void {
  writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
}

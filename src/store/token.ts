import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { codeOf } from "./regular-file.ts";

const TOKEN = /^[\w-]{43,}$/;

/** Reads the secret that every request must show, or makes it: 256 bits, readable by its owner only. */
export function loadToken(path: string): { token: string; warning: string | undefined } {
  try {
    writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const token = readFileSync(path, "utf8").trim();
  if (!TOKEN.test(token)) {
    writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    return { token: readFileSync(path, "utf8").trim(), warning: "the token was too weak and has been replaced" };
  }
  if ((statSync(path).mode & 0o077) === 0) return { token, warning: undefined };
  chmodSync(path, 0o600);
  return { token, warning: "the token was readable by others; its permissions have been corrected" };
}

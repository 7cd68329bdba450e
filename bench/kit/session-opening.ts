import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../../src/agent/session.ts";
import { Files } from "../../src/store/files/files.ts";

/** As much as a session reads of its end when it has no summary. */
const END_BYTES = 8 * 2 ** 20;

/** Opens the session of a folder, or only reads its end and parses it; prints how long that took and what it holds then. */
const [what, folder = ""] = process.argv.slice(2);
const files = new Files(folder);
const before = process.memoryUsage().rss;
const start = performance.now();
const held =
  what === "bare"
    ? bareRead(join(folder, "session/current.jsonl"))
    : Session.open(files, { clock: () => new Date() }).entries;
const took = performance.now() - start;
const more = (process.memoryUsage().rss - before) / 2 ** 20;
if (held.length === 0) throw new Error("the session is empty");
process.stdout.write(JSON.stringify({ ms: took, mb: more }));

function bareRead(path: string): unknown[] {
  const fd = openSync(path, "r");
  const { size } = fstatSync(fd);
  const bytes = Buffer.allocUnsafe(Math.min(size, END_BYTES));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  closeSync(fd);
  const lines = bytes
    .toString("utf8")
    .split("\n")
    .slice(size > bytes.length ? 1 : 0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

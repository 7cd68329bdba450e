import { createHash } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { Encoding, WebFiles } from "../../store/host/web-folder.ts";
import type { Answer } from "../answer.ts";
import { type Arrival, onlyValue } from "../arrival.ts";
import { answerError, answerFile } from "../requests/answers.ts";
import { WEBHOOK_PATH } from "../webhook-door.ts";

const START = "/index.html";
const ASSETS = "/assets/";
const FOREVER = "public, max-age=31536000, immutable";

/** Better first. */
const PREFERRED: readonly Encoding[] = ["br", "gzip"];

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
};

/**
 * The dashboard's files, which need no token: they hold nothing of the workspace. A path without an extension is one of the
 * dashboard's own addresses and gets its start page. Undefined: there is nothing at this path.
 */
export async function answerWebPage(arrival: Arrival, files: WebFiles): Promise<Answer | undefined> {
  const path = fileAt(arrival.path, files);
  const encodings = path === undefined ? undefined : files.encodingsOf(path);
  if (path === undefined || encodings === undefined) return undefined;
  if (arrival.method !== "GET" && arrival.method !== "HEAD") return refuseMethod(arrival);
  const encoding = chosenEncoding(onlyValue(arrival.headers, "accept-encoding"), encodings);
  const bytes = await files.read(path, encoding);
  const etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
  const headers = {
    "content-type": TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    "cache-control": path.startsWith(ASSETS) ? FOREVER : "no-cache",
    etag: `"${etag}"`,
    ...(encodings.length > 0 && { vary: "accept-encoding" }),
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  const isKnown = onlyValue(arrival.headers, "if-none-match")
    ?.split(",")
    .some((known) => known.trim() === headers.etag);
  return answerFile(isKnown === true ? undefined : bytes, headers, arrival.requestId);
}

/** Decoded once, and the guard has seen that it can be. What stands in no list of files cannot be asked for. */
function fileAt(undecoded: string, files: WebFiles): string | undefined {
  const path = decodeURIComponent(undecoded);
  if (path === "/api" || path.startsWith("/api/") || WEBHOOK_PATH.test(path)) return undefined;
  if (!/\.(br|gz)$/.test(path) && files.encodingsOf(path) !== undefined) return path;
  const last = path.slice(path.lastIndexOf("/") + 1);
  return last.includes(".") || path.startsWith(ASSETS) ? undefined : START;
}

/** What the client likes best of what there is; the plain form otherwise. */
export function chosenEncoding(accepted: string | undefined, there: readonly Encoding[]): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const item of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith("q="))?.slice(2);
    weights.set(name, quality === undefined ? 1 : Number(quality) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const usable = PREFERRED.filter((name) => there.includes(name) && weightOf(name) > 0);
  return usable.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
}

function refuseMethod({ method, requestId }: Arrival): Answer {
  const error = new HallError("method_not_allowed", `${method} is not allowed here; allowed: GET, HEAD.`);
  return answerError(error, requestId, { allow: "GET, HEAD" });
}

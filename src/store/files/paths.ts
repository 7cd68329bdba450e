import { HallError } from "../../contract/errors.ts";
import { cutText } from "../../contract/words/cut-text.ts";

const MAX_BYTES = 1_024;
const MAX_DEPTH = 40;
const SLASH_LIKE = /[\\/\u2044\u2215\u29f5\u29f8\uff0f\uff3c]/u;
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff<>:"|?*\\]/u;
const EXPANSION = /^(?:~|\$[A-Z_({]|%[A-Z_]+%)/;
const ENCODED_ESCAPE = /%(?:2e|2f|5c|25|0\d|c0|c1|u)/i;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;
const SECRET_NAME =
  /^(?:\.env(?:[._-].*)?|\.envrc|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|p12|pfx|key|keystore|jks))$/i;
const SECRET_FOLDER = /^\.(?:aws|ssh|gnupg|kube|docker|azure|guildhall)$/i;
/** Tools read these when a folder is opened, and start what they name. What people ask agents to write, such as a workflow, waits for review instead. */
const CONTROL_FOLDER = /^(?:\.(?:git|husky|claude|cursor|vscode|idea)|git~\d+)$/i;
const CONTROL_NAME = /^(?:\.gitmodules|\.gitattributes|\.mcp\.json|roles\.json|audit\.jsonl|\.tmp-[0-9a-f]{16})$/i;
/** Ordinary names in the depth of any source tree; the hall's own files stand at the top. */
const TOP_NAME = /^(?:project\.json|project\.md|team\.md|workdir\.json|config\.yml|channel\.jsonl)$/i;
/** Where a project keeps what the hall writes. Source trees have such folders too, but write them in small letters. */
const TOP_FOLDER = /^TASKS$/;
/** Package managers fill these with hard links into their store; what is in them anybody can download. */
const SHARED_FOLDER = /^(?:node_modules|site-packages|\.venv|venv)$/;
const LOG_FOLDER = /^(?:session|sessions|events|runs|teams|escalations)$/i;
/**
 * Of a project. Knowledge and memory are added to by asking the hall, which tells who did; skills are what people give
 * their agents to follow, and triggers start them. All of them enter prompts: a run that wrote there would instruct all that come after it.
 */
const OWNED_FOLDER = /^(?:knowledge|skills|memory|triggers)$/i;
const OWNED_NAME = /^memory\.md$/i;
/** What stands at the top of a project's own folder, and cannot be taken away by agents. */
const OWN_MARKS = ["PROJECT.json", "TASKS"];

export type PathUse = "read" | "write";

/**
 * Whose folder paths are relative to: a project's own has logs and knowledge in folders that others use for what they like.
 * `context`: its folder CONTEXT.
 */
export type Ground = "project" | "context" | "elsewhere";

export function groundOf(has: (name: string) => boolean): Ground {
  return OWN_MARKS.every(has) ? "project" : "elsewhere";
}

/**
 * Cleans a path that came from outside into one relative to a folder, or refuses it. Names alone are judged here;
 * links are judged when the path is opened. Windows names are refused everywhere, so a workspace can move between machines.
 */
export function checkPath(path: string, use: PathUse, ground: Ground = "project"): string {
  const reason = refusal(path, use, ground);
  if (reason !== undefined) throw new HallError("path_refused", `The path ${quote(path)} is refused: ${reason}.`);
  return segmentsOf(path).join("/");
}

/** Whether a file at a path may be read though it has other names. It is not written all the same: they would change with it. */
export function maySharedBeRead(path: string): boolean {
  return segmentsOf(path)
    .slice(0, -1)
    .some((segment) => SHARED_FOLDER.test(segment));
}

/**
 * The folder at the top that a path would reach where names that differ in case are the same: it holds what the hall writes.
 * Elsewhere it is another folder, and not protected.
 */
export function hiddenTop(path: string): string | undefined {
  const [top = "", ...rest] = segmentsOf(path);
  const plain = plainName(top);
  return rest.length > 0 && !TOP_FOLDER.test(plain) && TOP_FOLDER.test(plain.toUpperCase()) ? "TASKS" : undefined;
}

/** Whether the names of a path say that it holds secrets, or that it steers the hall or other tools. */
export function protectionOf(path: string, ground: Ground = "project"): "secret" | "control" | undefined {
  const segments = segmentsOf(path);
  if (first(segments, secretRefusal) !== undefined) return "secret";
  return controlRefusal(segments, ground) === undefined ? undefined : "control";
}

function refusal(path: string, use: PathUse, ground: Ground): string | undefined {
  if (path.trim() === "") return "it is empty";
  if (Buffer.byteLength(path) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (!path.isWellFormed()) return "it is not well-formed Unicode";
  if (path.startsWith("/")) return "it is absolute";
  if (EXPANSION.test(path)) return "it starts with ~ or contains a variable";
  if (FORBIDDEN.test(path)) return "it has a character that is not allowed in file names";
  if (ENCODED_ESCAPE.test(path)) return "it has encoded separators or dots";
  const segments = segmentsOf(path);
  if (segments.length === 0) return "it names the folder itself";
  if (segments.length > MAX_DEPTH) return `it is deeper than ${MAX_DEPTH} folders`;
  return (
    first(segments, segmentRefusal) ??
    first(segments, secretRefusal) ??
    (use === "write" ? controlRefusal(segments, ground) : undefined)
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

function segmentRefusal(segment: string): string | undefined {
  const plain = segment.normalize("NFKC");
  if (SLASH_LIKE.test(segment)) return "it has characters that look like separators";
  if (plain.split(";")[0]?.trim() === ".." || plain.split(";")[0]?.trim() === ".") return "it leaves the folder";
  if (/^\.\.?(?:%|\s)/.test(plain)) return "it leaves the folder";
  if (Buffer.byteLength(segment) > 255) return "a name in it is longer than 255 bytes";
  if (/[. ]$/.test(segment) && !/^\.{3,}$/.test(segment)) return "a name in it ends with a dot or a space";
  if (WINDOWS_DEVICE.test(segment.split(".")[0] ?? "")) return `'${segment}' is a reserved name`;
  return undefined;
}

/** A name as those file systems see it that take look-alikes for the same and do not see what is invisible. */
export function plainName(segment: string): string {
  return /^[\x20-\x7e]*$/.test(segment)
    ? segment
    : segment.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

function secretRefusal(segment: string): string | undefined {
  const name = plainName(segment);
  if (SECRET_NAME.test(name) || SECRET_FOLDER.test(name)) return `'${segment}' usually holds secrets`;
  return undefined;
}

function controlRefusal(given: string[], ground: Ground): string | undefined {
  const segments = given.map(plainName);
  const name = segments.at(-1) ?? "";
  const isLog = (segment: string, depth: number) =>
    LOG_FOLDER.test(segment) && ((depth === 0 && ground !== "elsewhere") || /\.jsonl$/i.test(name));
  const isTop = (segment: string) => TOP_FOLDER.test(segment) || (ground === "project" && OWNED_FOLDER.test(segment));
  const isControlFolder = (segment: string, depth: number) =>
    CONTROL_FOLDER.test(segment) || (depth === 0 && isTop(segment)) || isLog(segment, depth);
  const folder = segments.slice(0, -1).find(isControlFolder);
  if (folder !== undefined) return `files in '${folder}' can't be written this way`;
  const isControl = CONTROL_NAME.test(name) || CONTROL_FOLDER.test(name);
  const isOwnName = TOP_NAME.test(name) || (ground === "project" && OWNED_NAME.test(name));
  if (isControl || (segments.length === 1 && isOwnName)) return `'${name}' can't be written this way`;
  return undefined;
}

function first(segments: string[], judge: (segment: string) => string | undefined): string | undefined {
  for (const segment of segments) {
    const reason = judge(segment);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function quote(path: string): string {
  return JSON.stringify(cutText(path, 80).toWellFormed());
}

import { createHash } from "node:crypto";
import type { SkillFile, SkillOrigin } from "../../contract/documents/skill.ts";
import { HallError } from "../../contract/errors.ts";
import type { FolderReader } from "../../store/files/folder-reader.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { parseSkill, type SkillText } from "./skill-file.ts";

export const SKILL_FILE = "SKILL.md";
/** In a pack that came from elsewhere: it is not used before a person accepted it. */
export const IMPORTED_FILE = "IMPORTED";
const MOST_SKILL_BYTES = 128 * 1024;
const MOST_FILES = 500;
const MOST_DEPTH = 8;
const MOST_PACK_BYTES = 16 * 1024 * 1024;

/** A folder in which packs lie; the reader refuses links. */
export interface SkillPlace {
  origin: SkillOrigin;
  files: FolderReader;
  /** Relative to the root of the files. */
  folder: string;
}

export interface SkillProblem {
  file: string;
  line?: number;
  reason: string;
}

export interface SkillPack extends SkillText {
  place: SkillPlace;
  /** Relative to the root of its place's files. */
  folder: string;
  files: SkillFile[];
  bytes: number;
  hash: string;
  /** The file that was asked for, as it was when the hash was taken. */
  kept?: Buffer;
}

export type PackOutcome = { ok: true; pack: SkillPack } | { ok: false; problem: SkillProblem };

/** Reads one pack as it is now, every file of it. What it holds and what its hash covers are the same bytes. */
export function readPack(place: SkillPlace, slug: string, keep?: string): PackOutcome {
  const folder = `${place.folder}/${slug}`;
  const file = `${folder}/${SKILL_FILE}`;
  const refuse = (reason: string, at: { file?: string; line?: number } = {}): PackOutcome => ({
    ok: false,
    problem: { file, ...at, reason },
  });
  try {
    const source = readBounded(place, file, MOST_SKILL_BYTES);
    if (source === undefined) return refuse(`it is larger than ${MOST_SKILL_BYTES / 1024} KB`);
    const text = decodeText(source);
    if (text === undefined) return refuse("it is not UTF-8 text");
    const outcome = parseSkill(text, slug);
    if (!outcome.ok) return refuse(outcome.reason, { line: outcome.line });
    const content = contentOf(place, folder, { source, keep });
    if (typeof content === "string") return refuse(content, { file: folder });
    return { ok: true, pack: { ...outcome.skill, place, folder, ...content } };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return refuse(reason);
  }
}

type Content = Pick<SkillPack, "files" | "bytes" | "hash" | "kept">;

/** A text says why the pack is none. */
function contentOf(
  place: SkillPlace,
  folder: string,
  has: { source: Buffer; keep?: string | undefined },
): Content | string {
  const paths = pathsIn(place, folder);
  if (typeof paths === "string") return paths;
  const whole = createHash("sha256");
  const files: SkillFile[] = [];
  let bytes = 0;
  let kept: Buffer | undefined;
  for (const path of paths) {
    const content = path === SKILL_FILE ? has.source : readBounded(place, `${folder}/${path}`, MOST_PACK_BYTES - bytes);
    bytes += content?.length ?? 0;
    if (content === undefined || bytes > MOST_PACK_BYTES)
      return `its files exceed ${MOST_PACK_BYTES / 1024 / 1024} MB in total`;
    if (path === has.keep) kept = content;
    const hash = createHash("sha256").update(content).digest("hex");
    files.push({ path, size: content.length, hash });
    whole.update(`${JSON.stringify(path)} ${hash}\n`);
  }
  return { files, bytes, hash: whole.digest("hex"), ...(kept === undefined ? {} : { kept }) };
}

/** Every file of the pack, in the order of their names; a text says why it is no pack. */
function pathsIn({ files }: SkillPlace, folder: string): string[] | string {
  const found: string[] = [];
  const below = [{ path: "", depth: 0 }];
  for (let next = below.pop(); next !== undefined; next = below.pop()) {
    for (const { name, kind } of files.entries(next.path === "" ? folder : `${folder}/${next.path}`)) {
      const path = next.path === "" ? name : `${next.path}/${name}`;
      if (kind === "link") return `'${path}' is a link, and links are not followed`;
      if (kind === "special") return `'${path}' is a pipe, a socket or a device`;
      if (kind === "file") found.push(path);
      else if (next.depth === MOST_DEPTH) return `it is deeper than ${MOST_DEPTH} folders`;
      else below.push({ path, depth: next.depth + 1 });
      if (found.length + below.length > MOST_FILES) return `it has more than ${MOST_FILES} files and folders`;
    }
  }
  return found.sort();
}

/** Undefined for a file that is larger. Its folder is no link: readers of places refuse them. */
function readBounded({ files }: SkillPlace, path: string, most: number): Buffer | undefined {
  const file = files.openContained(path, ".");
  try {
    return file.size > most ? undefined : file.all();
  } finally {
    file.close();
  }
}

/** What is wrong with the files is a reason; anything else is a defect. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof HallError) return error.message.replace(/\.$/, "");
  if (error instanceof Error && "syscall" in error && "code" in error)
    return `it cannot be read (${String(error.code)})`;
  return undefined;
}

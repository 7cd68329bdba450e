import { isAbsolute, join } from "node:path";
import { type AcceptedSkills, SkillName, type SkillSummary } from "../../contract/documents/skill.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { isFolder } from "../../store/files/folders.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import { ACCEPTED_FILE, acceptedKey, readAccepted, stateOf } from "./accepted-skills.ts";
import {
  IMPORTED_FILE,
  type PackOutcome,
  readPack,
  reasonOf,
  type SkillPack,
  type SkillPlace,
  type SkillProblem,
} from "./skill-pack.ts";

const MOST_SKILLS = 200;
const MOST_ENTRIES = 2_000;
const MOST_PLACE_BYTES = 32 * 1024 * 1024;

/** Where the packs of an agent lie; absolute paths. */
export interface SkillsWhere {
  /** A real path. */
  workspace: string;
  /** The hall's own packs alone, unless given. */
  projectId?: string | undefined;
  /** The folder its agents work in, where that is not the project's own. A real path. */
  workdir?: string | undefined;
  /** Where the program is, for agents that may use the packs that come with it. */
  program?: string | undefined;
}

export interface FoundSkills {
  packs: SkillPack[];
  problems: SkillProblem[];
}

/** Every pack there is for an agent. Of those with one name, the nearest counts. */
export class SkillShelf {
  readonly #where: SkillsWhere;
  readonly #workspace: FolderReader;
  readonly #places: SkillPlace[];

  constructor(where: SkillsWhere) {
    this.#where = where;
    this.#workspace = new FolderReader(where.workspace, "refused", "given");
    this.#places = placesOf(where, this.#workspace);
  }

  find(): FoundSkills {
    const packs = new Map<string, SkillPack>();
    const problems: SkillProblem[] = [];
    for (const place of this.#places) {
      const found = place.files.readMany(() => packsIn(place, new Set(packs.keys())));
      for (const pack of found.packs) packs.set(pack.slug, this.#instead(pack));
      problems.push(...found.problems.map((problem) => ({ ...problem, file: this.#shown(place, problem.file) })));
    }
    const { problem } = readAccepted(this.#workspace);
    if (problem !== undefined) problems.push({ file: ACCEPTED_FILE, reason: problem });
    return { packs: [...packs.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1)), problems };
  }

  /** One pack as it is now; `keep` names a file of it to bring along. */
  read(slug: string, keep?: string): PackOutcome | undefined {
    if (!SkillName.safeParse(slug).success) return undefined;
    for (const place of this.#places) {
      if (!isPackFolder(place, slug)) continue;
      const outcome = readPack(place, slug, keep);
      if (outcome.ok) return { ok: true, pack: this.#instead(outcome.pack, keep) };
      const { problem } = outcome;
      return { ok: false, problem: { ...problem, file: this.#shown(place, problem.file) } };
    }
    return undefined;
  }

  /**
   * What takes the place of a built-in pack: one of its name in the working folder, as long as its content is what a person accepted,
   * or the hall's own. Of the working folder's the first counts, accepted or not, as everywhere.
   */
  #instead(pack: SkillPack, keep?: string): SkillPack {
    if (pack.place.origin !== "built-in") return pack;
    const having = this.#places.filter((place) => isPackFolder(place, pack.slug));
    const own = having.find(({ origin }) => origin === "workdir");
    for (const place of [own, having.find(({ origin }) => origin === "hall")]) {
      const outcome = place === undefined ? undefined : readPack(place, pack.slug, keep);
      if (outcome?.ok && this.summary(outcome.pack).usable) return outcome.pack;
    }
    return pack;
  }

  accepted(): AcceptedSkills {
    return readAccepted(this.#workspace).accepted;
  }

  keyOf({ place, slug }: Pick<SkillPack, "place" | "slug">): string {
    return acceptedKey(place.origin, this.#where.projectId, slug);
  }

  summary(pack: SkillPack, accepted = this.accepted()): SkillSummary {
    const { slug, description, place, folder, hash, onlyNamed, argumentHint } = pack;
    const state = stateOf(accepted, this.keyOf(pack), hash);
    const isImported = pack.files.some(({ path }) => path === IMPORTED_FILE);
    return {
      slug,
      description,
      origin: place.origin,
      path: this.#shown(place, folder),
      state,
      hash,
      usable: state === "accepted" || (place.origin !== "workdir" && !isImported),
      ...(onlyNamed ? { onlyNamed } : {}),
      ...(argumentHint === undefined ? {} : { argumentHint }),
    };
  }

  /** Relative to the workspace for what lies in it. */
  #shown({ files }: SkillPlace, path: string): string {
    return files === this.#workspace || isAbsolute(path) ? path : join(files.root, path);
  }
}

/** What there is for an agent, by name. A pack that cannot be read is left out; `SkillShelf.find` tells of it. */
export function availableSkills(where: SkillsWhere): SkillSummary[] {
  const shelf = new SkillShelf(where);
  const accepted = shelf.accepted();
  return shelf.find().packs.map((pack) => shelf.summary(pack, accepted));
}

/** The nearest first. */
function placesOf({ projectId, workdir, program }: SkillsWhere, workspace: FolderReader): SkillPlace[] {
  const own: SkillPlace[] =
    projectId === undefined ? [] : [{ origin: "project", files: workspace, folder: `projects/${projectId}/skills` }];
  // Before those of a working folder: a pack that nobody has accepted must not hide one that is trusted.
  return [
    ...own,
    ...builtInPlaces(program),
    ...workdirPlaces(workdir),
    { origin: "hall", files: workspace, folder: "skills" },
  ];
}

function builtInPlaces(program: string | undefined): SkillPlace[] {
  if (program === undefined) return [];
  return [{ origin: "built-in", files: new FolderReader(program, "refused", "given"), folder: ".agents/skills" }];
}

function workdirPlaces(workdir: string | undefined): SkillPlace[] {
  if (workdir === undefined || !isFolder(workdir)) return [];
  const files = new FolderReader(workdir, "refused", "given");
  return [".agents/skills", ".claude/skills"].map((folder) => ({ origin: "workdir", files, folder }));
}

function packsIn(place: SkillPlace, known: ReadonlySet<string>): FoundSkills {
  const packs: SkillPack[] = [];
  const problems: SkillProblem[] = [];
  const listed = entriesIn(place);
  if (typeof listed === "string") return { packs, problems: [{ file: place.folder, reason: listed }] };
  let bytes = 0;
  for (const { name, kind } of listed.filter((entry) => !known.has(entry.name))) {
    const file = `${place.folder}/${name}`;
    const refusal = refusalOf({ name, kind, count: packs.length, bytes });
    const outcome: PackOutcome =
      refusal === undefined ? readPack(place, name) : { ok: false, problem: { file, reason: refusal } };
    if (!outcome.ok) problems.push(outcome.problem);
    else {
      packs.push(outcome.pack);
      bytes += outcome.pack.bytes;
    }
  }
  return { packs, problems };
}

interface Listed {
  name: string;
  kind: "folder" | "link";
}

function refusalOf({ name, kind, count, bytes }: Listed & { count: number; bytes: number }): string | undefined {
  if (kind === "link") return "it is a link, and links are not followed";
  const { error } = SkillName.safeParse(name);
  if (error !== undefined) return `the name of the folder ${error.issues[0]?.message ?? "is not valid"}`;
  if (count >= MOST_SKILLS) return `only the first ${MOST_SKILLS} packs are read`;
  if (bytes >= MOST_PLACE_BYTES)
    return `the packs before it exceed ${MOST_PLACE_BYTES / 1024 / 1024} MB in total; no more are read`;
  return undefined;
}

const listings = new KeptReading<Listed[] | string>(1_000);

/** Folders, and links that may be meant as such, in the order of their names; a text says why none can be read. */
function entriesIn(place: SkillPlace): Listed[] | string {
  try {
    return listings.of(`${place.files.root}/${place.folder}`, () => listedIn(place), []);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

function listedIn({ files, folder }: SkillPlace): Listed[] | string {
  const found: Listed[] = [];
  let seen = 0;
  for (const { name, kind } of files.entries(folder)) {
    if (++seen > MOST_ENTRIES) return `it has more than ${MOST_ENTRIES} entries`;
    if ((kind === "folder" || kind === "link") && !name.startsWith(".")) found.push({ name, kind });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function isPackFolder({ files, folder }: SkillPlace, slug: string): boolean {
  try {
    return files.exists(folder) && files.standing(`${folder}/${slug}`)?.kind === "folder";
  } catch (error) {
    if (reasonOf(error) !== undefined) return false;
    throw error;
  }
}

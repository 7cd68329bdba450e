import { ACCEPTED_FILE, readAccepted } from "../../agent/skills/accepted-skills.ts";
import type { SkillPack, SkillProblem } from "../../agent/skills/skill-pack.ts";
import { SkillShelf } from "../../agent/skills/skill-shelf.ts";
import type { AcceptedSkills, Skill, SkillSummary } from "../../contract/documents/skill.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "projects">;
}

/** How long nobody looks again whether working folders have other packs: every glance asks for them. */
const LOOK_AGAIN_MS = 5_000;

/** A pack that somebody else put into a working folder; agents use it when the person has seen it. */
export type UnacceptedSkill = Pick<SkillSummary, "slug" | "state" | "path" | "hash"> & { projectId: string };

export interface Acceptance {
  projectId: string | undefined;
  /** Of the content that the person has seen. */
  hash: string;
  change: Change;
}

/** What people do with skill packs. */
export class SkillDesk {
  readonly #parts: Parts;
  #unaccepted: { at: number; skills: UnacceptedSkill[] } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(projectId: string | undefined): { skills: SkillSummary[]; problems: SkillProblem[] } {
    const shelf = this.#shelf(projectId);
    const { packs, problems } = shelf.find();
    const accepted = shelf.accepted();
    return { skills: packs.map((pack) => shelf.summary(pack, accepted)), problems };
  }

  /** Of the hall's own packs; those of a project are listed with it. */
  problems(): Problem[] {
    return this.list(undefined).problems.map((problem) => ({ ...problem, kind: "skill", severity: "invalid" }));
  }

  /** Of all active projects, as they were some seconds ago at most. */
  unaccepted(): UnacceptedSkill[] {
    const now = this.#parts.core.clock().getTime();
    if (this.#unaccepted === undefined || Math.abs(now - this.#unaccepted.at) >= LOOK_AGAIN_MS)
      this.#unaccepted = { at: now, skills: this.#findUnaccepted() };
    return this.#unaccepted.skills;
  }

  #findUnaccepted(): UnacceptedSkill[] {
    const { projects } = this.#parts.core;
    const inFolders = projects.ids().filter((id) => projects.status(id) === "active" && projects.hasWorkdir(id));
    return inFolders.flatMap((projectId) =>
      this.list(projectId)
        .skills.filter(({ usable }) => !usable)
        .map(({ slug, state, path, hash }) => ({ slug, state, path, hash, projectId })),
    );
  }

  get(slug: string, projectId: string | undefined): Skill {
    const shelf = this.#shelf(projectId);
    const pack = packOf(shelf, slug);
    const { body, files, license, compatibility, allowedTools, other } = pack;
    return {
      ...shelf.summary(pack),
      ...changesOf(pack, shelf),
      body,
      files,
      ...(license === undefined ? {} : { license }),
      ...(compatibility === undefined ? {} : { compatibility }),
      allowedTools,
      other,
    };
  }

  /** Doing it again changes nothing. */
  accept(slug: string, { projectId, hash, change }: Acceptance): Promise<SkillSummary> {
    const shelf = this.#shelf(projectId);
    return this.#parts.core.locks.run("skills", async () => {
      const pack = packOf(shelf, slug);
      if (pack.hash !== hash)
        throw new HallError("version_mismatch", `The skill '${slug}' changed since you viewed it.`, {
          hint: hint("skill-show", { skill: slug, project: projectId }),
        });
      const { state } = shelf.summary(pack);
      if (state !== "accepted") {
        const { origin } = pack.place;
        const draft: EventDraft = {
          ...byChange(change),
          type: "skill.accepted",
          ...(projectId === undefined ? {} : { projectId }),
          subject: { kind: "skill", id: slug },
          after: { origin, hash, was: state },
        };
        await this.#keep(shelf.keyOf(pack), pack, draft);
        this.#unaccepted = undefined;
      }
      return shelf.summary(pack);
    });
  }

  async #keep(key: string, pack: SkillPack, draft: EventDraft): Promise<void> {
    const { core } = this.#parts;
    const { files, clock } = core;
    const { accepted: before, problem } = readAccepted(files);
    if (problem !== undefined)
      throw new HallError("file_invalid", `The record of accepted skills can't be read: ${problem}.`, {
        file: ACCEPTED_FILE,
      });
    const after: AcceptedSkills = {
      version: 1,
      accepted: { ...before.accepted, [key]: { hash: pack.hash, at: clock().toISOString(), files: hashesOf(pack) } },
    };
    const content = `${JSON.stringify(after, null, 2)}\n`;
    await commit(core, draft, () => undefined, [{ kind: "put", path: ACCEPTED_FILE, content }]);
  }

  #shelf(projectId: string | undefined): SkillShelf {
    const { core, hall } = this.#parts;
    const workspace = core.files.root;
    if (projectId === undefined) return new SkillShelf({ workspace });
    const place = core.workdirRecords.placeOf(hall.projects.get(projectId));
    return new SkillShelf({ workspace, projectId, workdir: typeof place === "string" ? place : undefined });
  }
}

function hashesOf({ files }: SkillPack): Record<string, string> {
  return Object.fromEntries(files.map(({ path, hash }) => [path, hash]));
}

/** Since it was accepted; nothing of a pack that was accepted before its files were kept apart. */
function changesOf(pack: SkillPack, shelf: SkillShelf): Pick<Skill, "changes"> {
  const known = new Map(Object.entries(shelf.accepted().accepted)).get(shelf.keyOf(pack));
  if (known?.files === undefined || known.hash === pack.hash) return {};
  const before = new Map(Object.entries(known.files));
  const now = new Set(pack.files.map(({ path }) => path));
  return {
    changes: {
      added: pack.files.filter(({ path }) => !before.has(path)).map(({ path }) => path),
      changed: pack.files
        .filter(({ path, hash }) => before.has(path) && before.get(path) !== hash)
        .map(({ path }) => path),
      removed: [...before.keys()].filter((path) => !now.has(path)),
    },
  };
}

function packOf(shelf: SkillShelf, slug: string): SkillPack {
  const outcome = shelf.read(slug);
  if (outcome === undefined) throw new HallError("skill_not_found", `There is no skill '${slug.slice(0, 100)}' here.`);
  if (outcome.ok) return outcome.pack;
  const { file, line, reason } = outcome.problem;
  throw new HallError("file_invalid", `The skill '${slug}' cannot be read: ${reason}.`, { file, line });
}

import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Write } from "../../store/changes/change.ts";
import type { Files } from "../../store/files/files.ts";
import { lineText } from "../../store/logs/durable-line.ts";
import { takeLines } from "../../store/logs/whole-log.ts";
import { type Core, commitAll } from "../../workspace/core.ts";
import { PROJECTS_FOLDER, projectRoot } from "../../workspace/layout.ts";
import { fold, LeadLine, type LeadState } from "./lead-state.ts";

/** Leads of one initiative that are kept in memory. */
const MOST_KEPT = 50;

export interface Place {
  projectId: string;
  initiative: string;
}

interface Held extends Place {
  leads: Map<string, LeadState>;
  problem?: Problem;
}

interface More {
  events?: readonly EventDraft[];
  writes?: readonly Write[];
}

const folderOf = ({ projectId, initiative }: Place) => `${projectRoot(projectId)}/plans/${initiative}`;
const keyOf = ({ projectId, initiative }: Place) => `${projectId}/${initiative}`;

/** Of an initiative: the lines of its leads, and the last briefing and report for people to read. */
export function leadPaths(place: Place) {
  const folder = folderOf(place);
  return { lines: `${folder}/leads.jsonl`, briefing: `${folder}/briefing.md`, report: `${folder}/report.md` };
}

/** What leads did, durably: `leads.jsonl` beside the plan of each initiative. Lines of one project are appended by one caller at a time. */
export class LeadStore {
  readonly #core: Core;
  readonly #held = new Map<string, Held>();
  /** Where a lead is found. */
  readonly #places = new Map<string, Place>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Reads every project, or one that came. */
  load(projectId?: string): void {
    const { files } = this.#core;
    for (const id of projectId === undefined ? files.folders(PROJECTS_FOLDER) : [projectId]) {
      const plans = `${projectRoot(id)}/plans`;
      for (const initiative of files.exists(plans) ? files.folders(plans) : []) {
        const place = { projectId: id, initiative };
        if (files.exists(leadPaths(place).lines)) this.#take(read(files, place));
      }
    }
  }

  problems(): Problem[] {
    return [...this.#held.values()].flatMap(({ problem }) => problem ?? []);
  }

  find(id: string): LeadState | undefined {
    const place = this.#places.get(id);
    return place && this.#held.get(keyOf(place))?.leads.get(id);
  }

  placeOf(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** The oldest first. */
  of(place: Place): LeadState[] {
    return [...(this.#held.get(keyOf(place))?.leads.values() ?? [])];
  }

  all(projectId?: string): LeadState[] {
    const held = [...this.#held.values()].filter((one) => projectId === undefined || one.projectId === projectId);
    return held.flatMap(({ leads }) => [...leads.values()]);
  }

  open(projectId?: string): LeadState[] {
    return this.all(projectId).filter(({ ended }) => ended === undefined);
  }

  /** Throws what a person can read where the lines of an initiative can't be. */
  assertReadable(place: Place): void {
    if (this.#held.get(keyOf(place))?.problem !== undefined) {
      this.#held.delete(keyOf(place));
      if (this.#core.files.exists(leadPaths(place).lines)) this.#take(read(this.#core.files, place));
    }
    const problem = this.#held.get(keyOf(place))?.problem;
    if (problem !== undefined)
      throw new HallError("file_invalid", `${problem.file}, line ${problem.line}: ${problem.reason}`);
  }

  /**
   * Durable when it resolves, together with what else is given. Where somebody moved or deleted the lines of a lead, nothing is written
   * in their place: half of them can't be read.
   */
  async append(place: Place, lines: readonly LeadLine[], { events = [], writes = [] }: More = {}): Promise<void> {
    this.assertReadable(place);
    const path = leadPaths(place).lines;
    const begins = lines.some(({ type }) => type === "started");
    if (begins) await this.#core.files.ensureFolder(folderOf(place), projectRoot(place.projectId));
    const appends = lines.map((line): Write => ({ kind: "append", path, line: lineText(line) }));
    const isThere = begins || this.#core.files.exists(path);
    const apply = () => {
      const held = this.#held.get(keyOf(place)) ?? { ...place, leads: new Map() };
      for (const line of lines) fold(held.leads, line);
      this.#take(held);
    };
    await commitAll(this.#core, { events: [...events], writes: isThere ? [...appends, ...writes] : [], apply });
  }

  /** A project's folder leaves its place. */
  forget(projectId: string): void {
    for (const [key, held] of this.#held) {
      if (held.projectId !== projectId) continue;
      this.#held.delete(key);
      for (const id of held.leads.keys()) this.#places.delete(id);
    }
  }

  #take(held: Held): void {
    const { projectId, initiative, leads } = held;
    for (const [id, { ended }] of leads) {
      if (leads.size <= MOST_KEPT) break;
      if (ended === undefined) continue;
      leads.delete(id);
      this.#places.delete(id);
    }
    this.#held.set(keyOf(held), held);
    for (const id of leads.keys()) this.#places.set(id, { projectId, initiative });
  }
}

/** A file that can't be read starts no lead until it is fixed, or deleted. */
function read(files: Pick<Files, "exists" | "text">, place: Place): Held {
  const file = leadPaths(place).lines;
  const leads = new Map<string, LeadState>();
  const fault = takeLines(files, file, { schema: LeadLine, take: (line) => fold(leads, line) });
  if (fault !== undefined) {
    const of = { projectId: place.projectId, id: place.initiative, severity: "invalid" as const };
    const reason = `${fault.reason}. No lead starts until the file is fixed, or deleted`;
    return { ...place, leads: new Map(), problem: { ...of, file, line: fault.line, kind: "document", reason } };
  }
  // The folder of a project or an initiative may have been copied or renamed.
  const isOwn = ({ started: { briefing } }: LeadState) =>
    briefing.projectId === place.projectId && briefing.initiative === place.initiative;
  for (const [id, lead] of leads) if (!isOwn(lead)) leads.delete(id);
  return { ...place, leads };
}

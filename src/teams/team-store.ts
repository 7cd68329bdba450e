import type { TeamActivity, TeamDocument } from "../contract/documents/teams/team.ts";
import { HallError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/event.ts";
import type { Problem } from "../contract/problem.ts";
import type { Append, Put, Write } from "../store/changes/change.ts";
import { pageText } from "../store/logs/durable-document.ts";
import { lineText } from "../store/logs/durable-line.ts";
import type { Change } from "../workspace/change.ts";
import { byChange, type Core, commit, commitAll } from "../workspace/core.ts";
import { PROJECTS_FOLDER, projectRoot } from "../workspace/layout.ts";
import type { Together } from "../workspace/together.ts";
import { type EndedTeam, EndedTeams, endIn } from "./ended-teams.ts";
import { fold, type Held, newlyHeld } from "./held-team.ts";
import { following } from "./machine/autonomy/autonomy-phase.ts";
import { ownSections } from "./machine/spec/spec-sections.ts";
import { renderSpec } from "./machine/spec-text.ts";
import type { TeamFact, TeamLine } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";
import { told } from "./team-events.ts";
import { archiveFolder, readTeam, teamPaths, teamsFolder } from "./team-files.ts";

/** A team whose files can't be read. It waits until they can. */
interface Broken {
  projectId: string;
  problem: Problem;
}

/** What a team has from its first moment on. */
export interface Beginning {
  facts?: readonly TeamFact[];
  /** Paths in its folder, and texts. */
  files?: readonly (readonly [path: string, text: string])[];
}

export interface Appending {
  change: Change;
  /** The text of the spec that comes with the facts, where it is not rendered from them. */
  spec?: string | undefined;
}

/**
 * The folders of teams: `team.json` and one line of `state.jsonl` for each fact. Everything else is folded from them. Facts of one team
 * are appended by one caller at a time: whoever holds its lock.
 */
export class TeamStore {
  readonly #core: Core;
  /** At work, or ended with something left to do. */
  readonly #held = new Map<string, Held>();
  readonly #ended = new EndedTeams((team) => this.#read(team.projectId, team.id));
  readonly #broken = new Map<string, Broken>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** To be called once, before anything else. */
  load(): void {
    const { files } = this.#core;
    for (const projectId of files.folders(PROJECTS_FOLDER))
      for (const id of files.exists(teamsFolder(projectId)) ? files.folders(teamsFolder(projectId)) : []) {
        const status = endIn(files, { projectId, id });
        if (status === undefined) this.#take(projectId, id);
        else this.#ended.add({ id, projectId, status });
      }
  }

  #take(projectId: string, id: string): void {
    const held = this.#read(projectId, id);
    if (held !== undefined) this.#held.set(id, held);
  }

  /** Undefined where it can't be read, or belongs to another project. */
  #read(projectId: string, id: string): Held | undefined {
    const found = readTeam(this.#core.files, { projectId, id });
    this.#broken.delete(id);
    if (found.is === "broken") this.#broken.set(id, { projectId, problem: found.problem });
    if (found.is !== "read") return undefined;
    const held = newlyHeld(found.document);
    for (const line of found.lines) fold(held, line);
    return held;
  }

  problems(): Problem[] {
    return [...this.#broken.values()].map(({ problem }) => problem);
  }

  /** Reads teams again whose files could not be read. Answers those that can be now. */
  retryBroken(): string[] {
    const before = [...this.#broken];
    for (const [id, { projectId }] of before)
      if (this.#core.files.exists(teamPaths({ projectId, id }).document)) this.#take(projectId, id);
      else this.#broken.delete(id);
    return before.map(([id]) => id).filter((id) => this.#held.has(id));
  }

  /** Those that are at work, and those that ended a moment ago. */
  open(): TeamState[] {
    return [...this.#held.values()].map(({ state }) => state);
  }

  /** Of every team, what lists are chosen by. */
  all(): EndedTeam[] {
    const open = this.open().map(({ document: { id, projectId }, status }) => ({ id, projectId, status }));
    return [...open, ...this.#ended.all()];
  }

  find(id: string): TeamState | undefined {
    return this.#find(id)?.state;
  }

  #find(id: string): Held | undefined {
    return this.#held.get(id) ?? this.#ended.find(id);
  }

  /** Nothing is left to do for a team that has ended: it is read again when someone asks for it. */
  settle(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    const { document, status } = held.state;
    this.#ended.add({ id, projectId: document.projectId, status }, held);
  }

  /** A task of the board changed. */
  touch(projectId: string, taskId: string): void {
    for (const held of this.#held.values())
      if (held.state.document.projectId === projectId && held.touched !== "all") held.touched.add(taskId);
  }

  /** What changed since this was last asked for. */
  takeTouched(id: string): Held["touched"] {
    const held = this.#held.get(id);
    const touched = held?.touched ?? "all";
    if (held !== undefined) held.touched = new Set();
    return touched;
  }

  /** What was taken could not be dealt with. */
  touchAgain(id: string, touched: Held["touched"]): void {
    const held = this.#held.get(id);
    if (held === undefined || held.touched === "all") return;
    held.touched = touched === "all" ? "all" : new Set([...held.touched, ...touched]);
  }

  /** Throws what a person can read. */
  get(id: string): TeamState {
    const state = this.find(id);
    if (state !== undefined) return state;
    const broken = this.#broken.get(id)?.problem;
    if (broken !== undefined)
      throw new HallError(
        "file_invalid",
        `${broken.file}${broken.line === undefined ? "" : `, line ${broken.line}`}: ${broken.reason}`,
      );
    throw new HallError("team_not_found", `There is no team '${id}'.`);
  }

  activity(id: string): readonly TeamActivity[] {
    this.get(id);
    return this.#find(id)?.activity ?? [];
  }

  /** A new team, to be made durable with its task or alone. */
  begin(document: TeamDocument, change: Change, { facts = [], files = [] }: Beginning = {}): Together {
    const { id, projectId, goal, name, taskId, createdAt } = document;
    const paths = teamPaths(document);
    const held = newlyHeld(document);
    const { lines } = withFollowing(
      held,
      [{ type: "formed" }, ...facts],
      (line) => {
        fold(held, line);
        return [];
      },
      createdAt,
    );
    const content = pageText(document);
    const created: EventDraft = {
      ...byChange(change),
      ...{ type: "team.created", projectId, subject: { kind: "team", id } },
      after: { name, goal: goal.slice(0, 2_000), taskId },
    };
    return {
      events: [created],
      writes: [
        { kind: "put", path: paths.document, content, base: null, within: projectRoot(projectId) },
        ...lines.map((line) => lineWrite(paths.state, line)),
        ...files.map(
          ([path, text]): Put => ({
            ...{
              kind: "put",
              path: `${paths.folder}/${path}`,
              content: text,
              base: null,
              within: projectRoot(projectId),
            },
          }),
        ),
      ],
      apply: () => this.#held.set(id, held),
    };
  }

  /** Durable when it resolves. */
  async append(id: string, facts: readonly TeamFact[], how: Appending): Promise<void> {
    if (facts.length > 0) await this.with(id, facts, how, (together) => commitAll(this.#core, together));
  }

  /**
   * Makes facts durable together with what `commit` makes durable. The state is changed before: where that is refused, or fails, it is
   * read from the files again.
   */
  async with(
    id: string,
    facts: readonly TeamFact[],
    how: Appending,
    commit: (together: Together) => Promise<unknown>,
  ): Promise<void> {
    const { projectId } = this.get(id).document;
    try {
      await commit(this.#together(id, facts, how));
    } catch (error) {
      // What may be on disk is there with the next change, or the next start.
      if (!(error instanceof HallError && error.changed === "unknown")) {
        this.#held.delete(id);
        this.#take(projectId, id);
      }
      throw error;
    }
  }

  #together(id: string, facts: readonly TeamFact[], { change, spec }: Appending): Together {
    const held = this.#find(id);
    if (held === undefined) throw new HallError("team_not_found", `There is no team '${id}'.`);
    const { document } = held.state;
    const at = this.#core.clock().toISOString();
    const { lines, events } = withFollowing(held, facts, (line) => told(held, line, change), at);
    const paths = teamPaths(document);
    const text = spec ?? this.#specAfter(facts, held.state);
    const put: Put[] =
      text === undefined
        ? []
        : [{ kind: "put", path: paths.spec, content: text, within: projectRoot(document.projectId) }];
    const writes: Write[] = [...put, ...lines.map((line) => lineWrite(paths.state, line))];
    return {
      // A repeated request is recognized by the first event.
      events: events.map((event, index) => (index === 0 ? { ...event, ...byChange(change) } : event)),
      writes,
      apply: () => undefined,
    };
  }

  /** The text that the spec has after facts that changed it. What a person wrote beside it stays. */
  #specAfter(facts: readonly TeamFact[], { spec, document }: TeamState): string | undefined {
    const isChanged = facts.some(
      (fact) => fact.type === "spec-submitted" || (fact.type === "evolution-decided" && fact.outcome === "applied"),
    );
    if (!isChanged || spec === undefined) return undefined;
    const { files } = this.#core;
    const path = teamPaths(document).spec;
    const own = files.exists(path) ? ownSections(files.text(path)) : "";
    return `${renderSpec(spec)}${own === "" ? "" : `\n${own}\n`}`;
  }

  /** Out of the way, with everything in it. */
  async archive(id: string, change: Change): Promise<void> {
    const { document } = this.get(id);
    const { projectId } = document;
    const to = `${archiveFolder(projectId)}/${id}`;
    await this.#core.files.ensureFolder(archiveFolder(projectId), projectRoot(projectId));
    const draft: EventDraft = {
      ...byChange(change),
      ...{ type: "team.cleaned", projectId, subject: { kind: "team", id }, after: { folder: to } },
    };
    const writes: Write[] = [{ kind: "move", path: teamPaths(document).folder, to }];
    await commit(this.#core, draft, () => this.#drop(id), writes);
  }

  /** A project's folder leaves its place. */
  forget(projectId: string): void {
    for (const { id, projectId: of } of this.all()) if (of === projectId) this.#drop(id);
    for (const [id, broken] of this.#broken) if (broken.projectId === projectId) this.#broken.delete(id);
  }

  #drop(id: string): void {
    this.#held.delete(id);
    this.#ended.delete(id);
  }
}

function lineWrite(path: string, line: TeamLine): Append {
  return { kind: "append", path, line: lineText(line) };
}

/** Lines for facts, and for what follows from each: it is on disk with its cause. */
function withFollowing(
  held: Held,
  facts: readonly TeamFact[],
  take: (line: TeamLine) => EventDraft[],
  at: string,
): { lines: TeamLine[]; events: EventDraft[] } {
  const lines: TeamLine[] = [];
  const events: EventDraft[] = [];
  const add = (fact: TeamFact) => {
    const line: TeamLine = { seq: held.state.seq + 1, at, fact };
    lines.push(line);
    events.push(...take(line));
  };
  for (const fact of facts) {
    add(fact);
    for (const next of following(held.state)) add(next);
  }
  return { lines, events };
}

import type { RoleSpec, RoleSpecFields } from "../../contract/documents/teams/role-spec.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { Put } from "../../store/changes/change.ts";
import { isSameStamp, type Stamp } from "../../store/files/regular-file.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_HAND, byChange, type Core, commit, keep } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import { etagOf } from "../../workspace/tasks/task-file.ts";
import type { UsedRoleSpec } from "../machine/team-facts.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";
import { generateRoleSpec } from "./generate.ts";
import { type Linted, lintRoleSpec } from "./lint.ts";
import { type Responsibility, responsibilityOf, roleSpecFor, roleSpecName } from "./responsibility.ts";

interface Wanted extends Responsibility {
  name: string;
  tasks: string[];
}

/** What is remembered of a file. */
interface Kept {
  /** The last version without errors. After a restart it is the generated one, until the file has none. */
  good?: string;
  /** As it was last looked at. */
  seen?: Stamp | undefined;
  /** Of the text as it was last told; another one was edited by hand. */
  told?: string;
  problem?: Problem | undefined;
}

/** The role-specs of teams: written with the tasks, and read again for each run. People may edit them at any time. */
export class RoleSpecFiles {
  readonly #core: Core;
  /** By team and name. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  constructor(core: Core) {
    this.#core = core;
  }

  problems(): Problem[] {
    return [...this.#kept.values()].flatMap((ofTeam) => [...ofTeam.values()].flatMap(({ problem }) => problem ?? []));
  }

  /** Writes those that are missing. What is there stays as it is. */
  async ensure(state: TeamState): Promise<void> {
    const { files } = this.#core;
    const puts = wantedBy(state)
      .filter(({ name }) => !files.exists(pathOf(state, name)))
      .map((wanted): Put => putOf(state, wanted.name, generated(state, wanted)));
    if (puts.length > 0) await keep(this.#core, puts);
  }

  list(state: TeamState): RoleSpec[] {
    return wantedBy(state).map((wanted) => this.#read(state, wanted));
  }

  /** Phases 2 to 4 for a member's run. */
  bodyFor(state: TeamState, { plan: { key } }: TaskState): string {
    return this.#goodFor(state, key)?.good?.body ?? "";
  }

  /** What the hall does by the role-spec of a task. A prefix that was edited selects no other tasks: the plan has given them out. */
  usedFor(state: TeamState, key: string): UsedRoleSpec | undefined {
    const { wanted, good } = this.#goodFor(state, key) ?? {};
    if (wanted === undefined || good === undefined) return undefined;
    const { inner_loop: innerLoop, subagents = [] } = good.fields;
    return { name: wanted.name, prefix: wanted.prefix, innerLoop, subagents };
  }

  /** The frontmatter of the role-spec that a task is done by. */
  fieldsFor(state: TeamState, key: string): RoleSpecFields | undefined {
    return this.#goodFor(state, key)?.good?.fields;
  }

  #goodFor(state: TeamState, key: string): { good: Linted["good"]; wanted: Wanted } | undefined {
    const wanted = wantedBy(state).find(({ tasks }) => tasks.includes(key));
    if (wanted === undefined) return undefined;
    this.#read(state, wanted);
    const text = this.#keptOf(state, wanted).good ?? generated(state, wanted);
    return { wanted, good: lintRoleSpec(text, wanted).good };
  }

  /** Tells of a person's edit, and looks whether it can be used. Only under the team's lock. */
  async notice(state: TeamState): Promise<void> {
    const { id, projectId } = state.document;
    if (hasEnded(state.status)) this.forget(id);
    for (const wanted of hasEnded(state.status) ? [] : wantedBy(state)) {
      const kept = this.#keptOf(state, wanted);
      const file = pathOf(state, wanted.name);
      const stamp = this.#core.files.stamp(file);
      if (stamp !== undefined && isSameStamp(stamp, kept.seen)) continue;
      kept.seen = stamp;
      const { faults, etag } = this.#read(state, wanted);
      const fault = faults.find(({ severity }) => severity === "error");
      const reason = `${fault?.rule}: ${fault?.message}`;
      kept.problem = fault && { file, line: fault.line, kind: "team", projectId, id, severity: "invalid", reason };
      const isEdited = kept.told !== undefined && kept.told !== etag;
      kept.told = etag;
      if (isEdited) await this.#tell(state, wanted.name, { actor: BY_HAND }, []);
    }
  }

  /** Refuses a text with errors, with all of them. Only under the team's lock. */
  async write(state: TeamState, { name, text }: { name: string; text: string }, change: Change): Promise<void> {
    const { id } = state.document;
    const known = this.list(state).find((one) => one.name === name);
    if (known === undefined) throw new HallError("team_refused", `Team '${id}' has no role-spec '${name}'.`);
    if (change.ifMatch !== undefined && change.ifMatch !== known.etag)
      throw new HallError("version_mismatch", `The role-spec '${name}' was changed meanwhile.`);
    const wanted = wantedBy(state).find((one) => one.name === name);
    const errors = lintRoleSpec(text, wanted).faults.filter(({ severity }) => severity === "error");
    if (errors.length > 0)
      throw new HallError(
        "invalid",
        errors.map(({ line, rule, message }) => `text: line ${line}: ${rule}: ${message}`).join("\n"),
      );
    if (text === known.text) return;
    await this.#tell(state, name, change, [putOf(state, name, text)]);
    this.#keptOf(state, { name }).told = etagOf(text);
  }

  async #tell({ document, specVersion }: TeamState, name: string, change: Change, puts: readonly Put[]): Promise<void> {
    const { id, projectId } = document;
    const about = { ...byChange(change), projectId, subject: { kind: "team" as const, id } };
    const after = { changed: [`role-spec ${name}`], version: specVersion };
    await commit(this.#core, { ...about, type: "team.spec_changed", after }, () => undefined, puts);
  }

  forget(id: string): void {
    this.#kept.delete(id);
  }

  #read(state: TeamState, wanted: Wanted): RoleSpec {
    const { name, type: responsibilityType, tasks } = wanted;
    const kept = this.#keptOf(state, wanted);
    const found = this.#textOf(pathOf(state, name));
    const text = found ?? kept.good ?? generated(state, wanted);
    const { faults, good } = lintRoleSpec(text, wanted);
    if (good !== undefined) kept.good = text;
    const inUse = found === undefined || good === undefined ? "last-good" : "file";
    return { name, responsibilityType, tasks, text, etag: etagOf(text), faults, inUse };
  }

  /** Undefined where there is none, and empty where it is not a regular file. */
  #textOf(path: string): string | undefined {
    const { files } = this.#core;
    const stat = files.stat(path);
    if (stat === undefined) return undefined;
    return stat.isFile() ? files.text(path) : "";
  }

  #keptOf({ document: { id } }: TeamState, { name }: Pick<Wanted, "name">): Kept {
    const ofTeam = this.#kept.get(id) ?? new Map<string, Kept>();
    this.#kept.set(id, ofTeam);
    const kept = ofTeam.get(name) ?? {};
    ofTeam.set(name, kept);
    return kept;
  }
}

/** One for each role and prefix; those of a session that was handed over have their own names. */
function wantedBy({ tasks, session }: TeamState): Wanted[] {
  const found = new Map<string, Wanted>();
  for (const { plan, roleId, prefix } of tasks.values()) {
    const responsibility = { ...responsibilityOf(plan), prefix };
    const given = session === undefined ? undefined : roleSpecFor(session.roleSpecs, { roleId, prefix });
    const name = given?.name ?? roleSpecName(roleId, responsibility);
    const wanted = found.get(name) ?? { ...responsibility, name, tasks: [] };
    wanted.tasks.push(plan.key);
    found.set(name, wanted);
  }
  return [...found.values()];
}

/** Where one member does all tasks, it loops over them. */
function generated({ strategy }: TeamState, wanted: Wanted): string {
  return generateRoleSpec({ ...wanted, innerLoop: strategy?.value === "single" });
}

function pathOf({ document }: TeamState, name: string): string {
  return `${teamPaths(document).roleSpecs}/${name}.md`;
}

function putOf(state: TeamState, name: string, content: string): Put {
  return { kind: "put", path: pathOf(state, name), content, within: projectRoot(state.document.projectId) };
}

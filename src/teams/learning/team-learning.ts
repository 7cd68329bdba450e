import type { GateReport } from "../../contract/documents/quality/gate.ts";
import { type MemberGate, TeamLessons } from "../../contract/documents/teams/team-lessons.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { ProjectFiles } from "../../quality/trees/project-files.ts";
import { type Core, keep } from "../../workspace/core.ts";
import { gateLineOf } from "../../workspace/gates/gate-file.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";
import { lessonsText } from "./lessons-text.ts";
import { manifestsIn, manifestsOf } from "./manifest-files.ts";
import { detectKinds } from "./project-kinds.ts";
import { standardsFor } from "./standards.ts";
import { stillTaught, taughtIn } from "./taught.ts";
import { repeatedFindings, SEARCHED_GATES, weakStages } from "./weak-stages.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "gates" | "knowledge" | "projects">;
  /** The files of a revision of a project's repository. Rejects with HallError where it has none. */
  readTree: <Result>(
    projectId: string,
    revision: string | undefined,
    use: (files: ProjectFiles) => Promise<Result>,
  ) => Promise<Result>;
  /** Hides secrets of a project. */
  redact: (projectId: string, text: string) => string;
  /** Whether prompts have knowledge. */
  knowledgeTold: boolean;
  find: (teamId: string) => TeamState;
}

/** What a run of a team is told, and the packs that come with it. */
export interface Told {
  text: string;
  standards: string[];
}

/**
 * What a team knows of its project and of past work. It is found out once, when the team forms, without a model, and stays in the
 * team's folder: every member is told the same.
 */
export class TeamLearning {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** For the lead, or for the member that works on a task. */
  async tell(state: TeamState, task?: TaskState): Promise<Told> {
    const lessons = await this.#ensure(state);
    const standards = task === undefined ? [] : standardsFor(lessons.kinds, task.plan);
    const { hall } = this.#parts;
    const statements = stillTaught(hall.knowledge, state.document.projectId, lessons.statements);
    return { text: lessonsText({ ...lessons, statements }, standards), standards };
  }

  readonly desk = {
    ofTeam: async (id: string): Promise<TeamLessons> => {
      const state = this.#parts.find(id);
      return this.#read(state) ?? this.#find(state.document);
    },
    ofProject: async (projectId: string): Promise<TeamLessons> => {
      this.#parts.hall.projects.get(projectId);
      return this.#find({ projectId });
    },
    gates: (id: string, { member }: RouteQuery<"listTeamGates">): MemberGate[] => {
      const { core, hall, find } = this.#parts;
      return memberGates(find(id), {
        gatesOf: (runId) => hall.gates.ofRun(runId),
        memberOf: (runId) => core.runs.get(runId)?.run.team?.member,
      }).filter((gate) => member === undefined || gate.member === member);
    },
  };

  async #ensure(state: TeamState): Promise<TeamLessons> {
    const known = this.#read(state);
    if (known !== undefined) return known;
    const lessons = await this.#find(state.document);
    const { lessons: path } = teamPaths(state.document);
    const content = `${JSON.stringify(lessons, null, 2)}\n`;
    // One that can't be read stays as it is, for whoever edited it.
    if (!this.#parts.core.files.exists(path))
      await keep(this.#parts.core, [
        { kind: "put", path, content, base: null, within: projectRoot(state.document.projectId) },
      ]);
    return lessons;
  }

  #read({ document }: TeamState): TeamLessons | undefined {
    const { files } = this.#parts.core;
    const { lessons: path } = teamPaths(document);
    try {
      return files.exists(path) ? TeamLessons.safeParse(JSON.parse(files.text(path))).data : undefined;
    } catch {
      return undefined;
    }
  }

  async #find({ projectId, baseBranch }: { projectId: string; baseBranch?: string | undefined }): Promise<TeamLessons> {
    const { core, hall, redact, knowledgeTold } = this.#parts;
    const { kinds, unread } = await this.#kindsOf(projectId, baseBranch);
    const hide = (text: string) => redact(projectId, text);
    const gates = hall.gates.finished(projectId, SEARCHED_GATES).map(({ line }) => line);
    const failed = gates.filter(({ verdict }) => verdict === "fail").flatMap(({ id }) => this.#report(id) ?? []);
    return {
      at: core.clock().toISOString(),
      kinds: kinds.map((kind) => ({ ...kind, evidence: hide(kind.evidence) })),
      unread,
      gates: gates.length,
      weakStages: weakStages(gates),
      repeated: repeatedFindings(failed).map((one) => ({ ...one, example: hide(one.example) })),
      statements: knowledgeTold ? taughtIn(hall.knowledge, projectId) : [],
    };
  }

  /** A team works without it where the files can't be read. */
  async #kindsOf(projectId: string, branch: string | undefined): Promise<Pick<TeamLessons, "kinds" | "unread">> {
    const { core, hall, readTree } = this.#parts;
    const place = core.workdirRecords.placeOf(hall.projects.get(projectId));
    const revision = branch === undefined ? undefined : `refs/heads/${branch}`;
    try {
      return await readTree(projectId, revision, (files) => detectKinds(manifestsOf(files))).catch((error) => {
        // Without a repository there is the folder itself.
        if (error instanceof HallError && error.code === "gate_refused" && typeof place === "string")
          return detectKinds(manifestsIn(place));
        throw error;
      });
    } catch (error) {
      return { kinds: [], unread: [{ file: ".", reason: errorText(error) }] };
    }
  }

  #report(id: string): GateReport | undefined {
    try {
      return this.#parts.hall.gates.get(id);
    } catch (error) {
      if (error instanceof HallError) return undefined;
      throw error;
    }
  }
}

interface Sources {
  gatesOf: (runId: string) => GateReport[];
  /** Undefined of a run that is unknown. */
  memberOf: (runId: string) => string | undefined;
}

/** Gate reports of a team, each with the member whose result it judged, the oldest first. */
function memberGates({ tasks }: TeamState, { gatesOf, memberOf }: Sources): MemberGate[] {
  const gates = [...tasks.values()].flatMap(({ plan, member = "", runIds }) =>
    runIds.flatMap((runId) => {
      // A task that went to another member keeps the reports of those before.
      const who = { member: memberOf(runId) ?? member, task: plan.key };
      return gatesOf(runId).map((report) => ({ ...gateLineOf(report), ...who }));
    }),
  );
  return gates.toSorted((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
}

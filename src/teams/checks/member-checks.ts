import { z } from "zod";
import { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import type { TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import type { Remark } from "../../contract/runs/guarding.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { WorktreeChecks } from "../../quality/integration/worktree-checks.ts";
import type { RunGuard } from "../../runs/guarding.ts";
import { BY_DAEMON, type Core, keep } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";
import { responsibilityOf } from "../role-specs/responsibility.ts";
import { teamPaths } from "../team-files.ts";
import type { TeamKeeper } from "../team-keeper.ts";
import type { TeamStore } from "../team-store.ts";
import { artifactName, artifactText } from "./artifact-text.ts";
import type { CheckNotes } from "./check-notes.ts";
import { gatherEvidence } from "./evidence.ts";
import { judgeReturn } from "./judge-return.ts";
import { attemptsFor, remarkOf, verdictOf } from "./verdict.ts";

interface Parts {
  core: Core;
  store: Pick<TeamStore, "find" | "append">;
  keeper: Pick<TeamKeeper, "alone">;
  inspect: WorktreeChecks["inspect"];
  notes: Pick<CheckNotes, "keep">;
  placeOf: (runId: string) => Workplace | undefined;
  /** Without what is secret in a project. */
  redact: (projectId: string, text: string) => string;
}

type End = Parameters<NonNullable<RunGuard["ending"]>>[1];

/** What the agent's process says of a report; it was read there. */
const Reported = z.object({ returned: MemberReturn.optional() });

interface Of {
  state: TeamState;
  task: TaskState;
}

interface Checked {
  checks: TaskChecks;
  /** Of a result that may count: its artifact, and what else is kept of it. */
  content?: string | undefined;
  summary: string;
  returned: MemberReturn | undefined;
}

/**
 * Checks what members return before their runs end. Each round is in the team's log before the member is told, so that asking again
 * after a crash is answered the same, and retries are counted once.
 */
export class MemberChecks {
  readonly #parts: Parts;
  readonly #stop = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  applies(run: Run): boolean {
    return this.#of(run) !== undefined;
  }

  async ending(run: Run, end: End): Promise<Remark> {
    const of = this.#of(run);
    if (of === undefined) return {};
    const known = checksOf(of, run);
    if (known?.round === end.round) return remarkOf(known);
    try {
      const checked = await this.#check(of, run, end);
      return remarkOf(await this.#record(run, checked));
    } catch (error) {
      // The daemon leaves the run as it is; whoever continues it asks again.
      if (this.#stop.signal.aborted) return new Promise(() => undefined);
      throw error;
    }
  }

  close(): void {
    this.#stop.abort();
  }

  /** Undefined of any run that is not a member's own at a task of a team that is still open. */
  #of({ team, purpose, parentRunId, taskId }: Run): Of | undefined {
    if (team === undefined || purpose !== "work" || parentRunId !== undefined) return undefined;
    const state = this.#parts.store.find(team.id);
    if (state === undefined || hasEnded(state.status)) return undefined;
    const task = state.tasks.get(state.index.byTask.get(taskId) ?? "");
    return task === undefined ? undefined : { state, task };
  }

  async #check({ state, task }: Of, run: Run, { output, report, round }: End): Promise<Checked> {
    const { core, inspect, placeOf } = this.#parts;
    const { key, title, files: planned, sections = [], dimensions = [] } = task.plan;
    const { type } = responsibilityOf(task.plan);
    const returned = Reported.safeParse(report).data?.returned;
    const place = placeOf(run.id);
    const folder = place?.workdir ?? core.projects.get(run.projectId)?.workdir ?? "";
    const name = artifactName(type, key);
    const seen = await gatherEvidence(
      { inspect },
      { run, type, returned, place, folder, name, signal: this.#stop.signal },
    );
    const { checks, figures } = judgeReturn({
      ...seen,
      type,
      returned,
      summary: output,
      sections: [...sections, ...dimensions],
      planned,
    });
    const verdict = verdictOf(checks);
    const attempt = (checksOf({ state, task }, run)?.attempt ?? 0) + 1;
    const made: TaskChecks = {
      ...{ type, runId: run.id, round, attempt, attempts: attemptsFor(type), verdict, checks },
      ...(figures === undefined ? {} : { figures }),
    };
    const told = { summary: output, returned };
    if (verdict === "fail") return { checks: made, ...told };
    const text = seen.artifact?.ok === true ? seen.artifact.text : undefined;
    const written = { title, ...told, text, changed: seen.files?.changed, checks, figures };
    const isOwnFile = (type === "code-gen-docs" || type === "orchestration") && seen.artifact?.ok === true;
    const file = isOwnFile && seen.artifact?.ok === true ? seen.artifact.name : name;
    const content = artifactText(type, written);
    return { checks: { ...made, artifact: `artifacts/${key}/${file}` }, content, ...told };
  }

  /** What another answer to the same round came to counts. */
  async #record(run: Run, { checks, content, ...told }: Checked): Promise<TaskChecks> {
    const { core, store, keeper, notes, redact } = this.#parts;
    const { projectId } = run;
    return keeper.alone(run.team?.id ?? "", async () => {
      const of = this.#of(run);
      if (of === undefined) return checks;
      const known = checksOf(of, run);
      if (known?.round === checks.round) return known;
      const { id } = of.state.document;
      if (content !== undefined && checks.artifact !== undefined) {
        const path = `${teamPaths(of.state.document).folder}/${checks.artifact}`;
        await keep(core, [{ kind: "put", path, content: redact(projectId, content), within: projectRoot(projectId) }]);
        await notes.keep({ ...of, checks, ...told, summary: redact(projectId, told.summary) });
      }
      const fact = { type: "task-checked" as const, key: of.task.plan.key, checks };
      await store.append(id, [fact], { change: { actor: BY_DAEMON } });
      return checks;
    });
  }
}

function checksOf({ task }: Of, { id }: Pick<Run, "id">): TaskChecks | undefined {
  return task.checks?.runId === id ? task.checks : undefined;
}

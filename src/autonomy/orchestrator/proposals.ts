import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { PortfolioProject } from "../../contract/documents/autonomy/portfolio.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { Core } from "../../workspace/core.ts";
import { slugOf } from "../../workspace/projects/project-rules.ts";
import type { Judge } from "./choose.ts";
import { type OrchestratorEffects, refusalIn } from "./effects.ts";
import type { Idea } from "./ideas.ts";
import type { OrchestratorLog } from "./log.ts";
import { type Verdict, verdictIn } from "./questions.ts";
import type { OrchestratorLine, Proposal } from "./state.ts";

type Proposed = Cycle["proposals"][number];
type ProposalLine = Extract<OrchestratorLine, { type: "proposal" }>;

interface Parts {
  core: Pick<Core, "clock" | "projects">;
  config: Pick<Config, "orchestrator">;
  log: OrchestratorLog;
  effects: OrchestratorEffects;
  judge: Judge;
}

const CREATES = new Set(["goals", "knowledge", "tests"]);

/** New work: proposed to the person, or done where the project allows it; and what comes of the answers. */
export class Proposals {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ideas as the cycle claims them, without those that the person forbade. */
  async plan(
    ideas: readonly Idea[],
    projects: readonly PortfolioProject[],
  ): Promise<{ proposed: Proposed; line: ProposalLine }[]> {
    const planned = [];
    for (const idea of ideas) {
      if (this.#isForbidden(idea)) continue;
      const project = projects.find(({ id }) => id === idea.projectId);
      const worded =
        idea.kind === "goals" && project !== undefined
          ? await this.#parts.judge.word(project.name, idea.goals, idea.evidence)
          : undefined;
      const slug = worded === undefined ? undefined : slugOf(worded.title);
      const isFree = slug !== undefined && project?.initiatives.some((one) => one.slug === slug) === false;
      planned.push(this.#claim({ ...idea, ...worded, ...(isFree ? { slug } : {}) }));
    }
    return planned;
  }

  /** Asks the person, or does it. */
  async carryOut(proposed: Proposed): Promise<{ proposed: Proposed; lines: ProposalLine[] }> {
    const { log, effects } = this.#parts;
    const proposal = log.state.proposals.get(proposed.key);
    if (proposal === undefined) return { proposed: { ...proposed, outcome: "refused" }, lines: [] };
    const idea = ideaOf(proposal, proposed.evidence);
    const verdict = this.#ownVerdict(proposal);
    try {
      if (verdict === undefined) {
        const escalationId = await effects.ask(idea);
        const line = { type: "proposal" as const, proposal: { ...proposal, escalationId } };
        return { proposed: { ...proposed, outcome: "asked", escalationId }, lines: [line] };
      }
      await effects.carryOut(verdict, idea);
      const line = { type: "proposal" as const, proposal: { ...proposal, state: "done" as const } };
      return { proposed: { ...proposed, outcome: "done" }, lines: [line] };
    } catch (error) {
      const problem = refusalIn(error);
      const line = { type: "proposal" as const, proposal: { ...proposal, state: "declined" as const } };
      return { proposed: { ...proposed, outcome: "refused", problem }, lines: [line] };
    }
  }

  /** Carries out what the person answered. True: there is new work. */
  async settle(): Promise<boolean> {
    const { log, effects } = this.#parts;
    let hasCreated = false;
    for (const proposal of [...log.state.proposals.values()]) {
      if (proposal.escalationId === undefined || proposal.state !== "asked") continue;
      const answer = await effects.answerOf(proposal);
      if (answer === undefined) continue;
      const verdict = answer === "gone" ? "nothing" : verdictIn(proposal.kind, answer);
      let state: Proposal["state"] = verdict === "nothing" ? "declined" : "accepted";
      try {
        await effects.carryOut(verdict, ideaOf(proposal, ""));
      } catch (error) {
        refusalIn(error);
        state = "declined";
      }
      await log.append([{ type: "proposal", proposal: { ...proposal, state } }]);
      hasCreated ||= state === "accepted";
    }
    return hasCreated;
  }

  #claim({ key, kind, projectId, title, goals, tasks, evidence, slug }: Idea) {
    const at = this.#parts.core.clock().toISOString();
    const of = { ...(projectId === undefined ? {} : { projectId }), title };
    const proposal: Proposal = {
      key,
      kind,
      at,
      ...of,
      goals,
      tasks,
      ...(slug === undefined ? {} : { slug }),
      state: "asked",
    };
    const proposed: Proposed = {
      ...{ key, kind, ...of, evidence, outcome: "pending" },
      ...(slug === undefined ? {} : { initiative: slug }),
    };
    return { proposed, line: { type: "proposal" as const, proposal } };
  }

  /** What it does by itself; undefined: it asks. */
  #ownVerdict({ kind, projectId }: Proposal): Verdict | undefined {
    const { core, config } = this.#parts;
    const project = projectId === undefined ? undefined : core.projects.get(projectId);
    if (project?.status !== "active" || project.config.autonomy !== "initiatives") return undefined;
    if (CREATES.has(kind)) return "create";
    return kind === "stale" && !config.orchestrator.never.includes("priority") ? "raise" : undefined;
  }

  #isForbidden({ kind, projectId }: Idea): boolean {
    const { core, config } = this.#parts;
    const { never } = config.orchestrator;
    if (CREATES.has(kind) && never.includes("initiative")) return true;
    const isOwn = projectId !== undefined && core.projects.get(projectId)?.config.autonomy === "initiatives";
    const isAsked = !isOwn || kind === "conflict" || (kind === "stale" && never.includes("priority"));
    return isAsked && never.includes("question");
  }
}

function ideaOf({ key, kind, projectId, title, goals, tasks, slug }: Proposal, evidence: string): Idea {
  return {
    ...{ key, kind, title, goals, tasks, evidence },
    ...(projectId === undefined ? {} : { projectId }),
    ...(slug === undefined ? {} : { slug }),
  };
}

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
  /** Why nothing is done any more in a project, or anywhere; in words for people. */
  whyNot: (projectId: string | undefined) => string | undefined;
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
    const reason = this.#whyNot(idea);
    if (reason !== undefined) {
      const line = { type: "proposal" as const, proposal: { ...proposal, state: "dropped" as const } };
      return { proposed: { ...proposed, outcome: "refused", problem: reason }, lines: [line] };
    }
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

  /** Carries out what the person answered, and says what came of it. Done again after a crash, it happens once. */
  async settle(): Promise<{ proposed: Proposed; line: ProposalLine }[]> {
    const { log, effects } = this.#parts;
    const settled = [];
    for (const proposal of [...log.state.proposals.values()]) {
      if (proposal.escalationId === undefined || proposal.state !== "asked") continue;
      const answer = await effects.answerOf(proposal);
      if (answer === undefined) continue;
      const verdict = answer === "gone" ? "nothing" : verdictIn(proposal.kind, answer);
      settled.push(await this.#settle(proposal, verdict));
    }
    return settled;
  }

  async #settle(proposal: Proposal, verdict: Verdict): Promise<{ proposed: Proposed; line: ProposalLine }> {
    const evidence = `Your answer to ${proposal.escalationId}.`;
    const as = (outcome: Proposed["outcome"], state: Proposal["state"], problem?: string) => ({
      proposed: { ...this.#proposed(proposal, evidence), outcome, ...(problem === undefined ? {} : { problem }) },
      line: { type: "proposal" as const, proposal: { ...proposal, state } },
    });
    if (verdict === "nothing") return as("declined", "declined");
    try {
      await this.#parts.effects.carryOut(verdict, ideaOf(proposal, ""));
      return as("done", "accepted");
    } catch (error) {
      return as("refused", "declined", refusalIn(error));
    }
  }

  #proposed({ key, kind, projectId, title, slug, escalationId }: Proposal, evidence: string): Proposed {
    return {
      ...{ key, kind, title, evidence, outcome: "pending" },
      ...(projectId === undefined ? {} : { projectId }),
      ...(slug === undefined ? {} : { initiative: slug }),
      ...(escalationId === undefined ? {} : { escalationId }),
    };
  }

  /** Looked at again when it is carried out: a model was asked meanwhile, or the daemon was not running. */
  #whyNot(idea: Idea): string | undefined {
    const { whyNot, config } = this.#parts;
    const isForbidden = config.orchestrator.generate !== "propose" || this.#isForbidden(idea);
    return whyNot(idea.projectId) ?? (isForbidden ? "It was forbidden meanwhile." : undefined);
  }

  #claim({ key, kind, projectId, title, goals, tasks, evidence, slug }: Idea) {
    const proposal: Proposal = {
      ...{ key, kind, at: this.#parts.core.clock().toISOString(), title, goals, tasks, state: "asked" },
      ...(projectId === undefined ? {} : { projectId }),
      ...(slug === undefined ? {} : { slug }),
    };
    return { proposed: this.#proposed(proposal, evidence), line: { type: "proposal" as const, proposal } };
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

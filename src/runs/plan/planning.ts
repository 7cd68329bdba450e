import { memoryIndex } from "../../agent/memory-index.ts";
import type { SkillsWhere } from "../../agent/skills/skill-shelf.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { Project } from "../../contract/documents/project.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { RunSandbox, SandboxState } from "../../contract/documents/sandbox.ts";
import type { SkillSummary } from "../../contract/documents/skill.ts";
import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { HandInOrder, RunTeam } from "../../contract/runs/hand-in.ts";
import type { ReviewComment } from "../../contract/runs/review-comment.ts";
import type { RunAsker, RunPlan, RunTrigger, SpawnRequest, Workplace } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { MEMBER_TOOLS, SUBMIT_REVIEW, SUBMIT_TOOLS } from "../../contract/words/tool-names.ts";
import { contextWindowOf } from "../../models/context-windows.ts";
import type { Models } from "../../models/open-models.ts";
import { PROGRAM_FOLDER } from "../../program.ts";
import { Files } from "../../store/files/files.ts";
import { parseFrontmatter } from "../../store/markup/frontmatter.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { MEMORY_FOLDER } from "../../workspace/knowledge/memory-rules.ts";
import { projectRoot, WORKTREES_FOLDER } from "../../workspace/layout.ts";
import type { Decisions } from "../../workspace/policies/decisions.ts";
import { withoutPlaceholders } from "../../workspace/projects/placeholders.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import { assertWorkdir } from "../../workspace/projects/workdir.ts";
import { criterionKey } from "../../workspace/tasks/criteria.ts";
import type { Found } from "../git/repository.ts";
import { lookingAt, workplaceFor } from "../git/workplace-choice.ts";
import type { SubmittedResult } from "../results/submitted-result.ts";
import { builtInRole, EXPLORE_ROLE } from "./built-in-roles.ts";
import type { Instructions } from "./instructions.ts";
import { buildPrompt, type PromptInput } from "./prompt.ts";
import { envFileJudge, type QuotedFolder, quote } from "./prompt-files.ts";
import {
  lackingTools,
  listedPacks,
  type ResolveInput,
  resolveAsk,
  resolveLimits,
  resolveModel,
  resolveThinking,
  resolveTimeout,
  resolveTools,
} from "./resolve.ts";
import { sandboxFor } from "./run-sandbox.ts";
import { runSkills, skillsPart, withPacks } from "./run-skills.ts";
import { DELEGATES_BY, type TeamPart, teamPurpose } from "./team-part.ts";

/** Characters of a description that decide which statements have to do with it. */
const MOST_READ = 8_000;
/** What a run has that reviews for a quality gate, whatever its role has. */
const READ_TOOLS = ["read", "list", "search"];
const GATE_REVIEW_TOOLS = [...READ_TOOLS, SUBMIT_REVIEW];
/** What the index of the memory may take of a prompt. */
const MEMORY_INDEX_TOKENS = 800;

/** A result that was sent back, and why. */
export interface Continued {
  runId: string;
  feedback: string;
  /** About lines of it. */
  comments?: ReviewComment[] | undefined;
  /** Where it is, if not in the folder itself. */
  branch?: string | undefined;
  /** Why it cannot be merged as it is, and which files that concerns. */
  conflict?: string | undefined;
  /** A commit of its target that it does not work with: the branch gets it before the next run starts. */
  onto?: string | undefined;
}

/** The run that starts it; what it starts belongs to its team. */
interface ParentRun {
  runId: string;
  depth: number;
  workplace?: Workplace | undefined;
  ask?: string[] | undefined;
  team?: RunTeam | undefined;
  /** Packs that its team gave it. */
  standards?: string[] | undefined;
}

export interface PlanOrder {
  runId: string;
  request: SpawnRequest;
  task: Task;
  at: string;
  parent?: ParentRun | undefined;
  /** The repository its project works in. */
  repository?: Found;
  continues?: Continued | undefined;
  /** The result that the run reviews; without one it does the task. */
  submitted?: SubmittedResult | undefined;
  /** Answers to what earlier runs of the task asked. */
  answers?: string | undefined;
  /** The agent that asked for it, who is told of its end. */
  asker?: RunAsker | undefined;
  /** The task's project, unless given. */
  project?: Project | undefined;
  /** The hall's role of that id, unless given. */
  role?: Role | undefined;
  /** Of a run that belongs to a team. */
  team?: TeamPart | undefined;
  /** Of a run that a trigger starts. */
  trigger?: RunTrigger | undefined;
}

export interface PlanningOptions {
  core: Core;
  hall: Hall;
  config: Config;
  models: Pick<Models, "defaultModel" | "whyNot">;
  instructions: Pick<Instructions, "inForce">;
  /** What commands run in on this machine, as far as it is known. */
  sandbox: () => SandboxState;
  secrets: Pick<ProjectSecrets, "read">;
  /** Who decides what. */
  decisions: Pick<Decisions, "text">;
}

interface Outfit {
  tools: string[];
  ask: string[];
  workdir: string;
  problems: string[];
}

/** Decides everything about a run before it starts, and refuses it when something is missing. */
export class Planning {
  readonly #options: PlanningOptions;

  constructor(options: PlanningOptions) {
    this.#options = options;
  }

  /** A real path. Throws where the working folder is missing, or not the one that a person named. */
  workdirOf(project: Project): string {
    const place = this.#options.core.workdirRecords.placeOf(project);
    if (typeof place === "string") return place;
    throw place;
  }

  plan(order: PlanOrder): RunPlan {
    return this.#options.core.files.readMany(() => this.#plan(order));
  }

  #plan(order: PlanOrder): RunPlan {
    const {
      runId,
      request,
      task,
      at,
      parent,
      project: given,
      continues,
      asker,
      submitted,
      answers,
      team,
      trigger,
    } = order;
    const { hall, config, secrets } = this.#options;
    const role = order.role ?? this.#roleOf(request.roleId, team?.of ?? parent?.team);
    const project = given ?? hall.projects.get(task.projectId);
    const input = {
      ...this.#resolveInput({ role, project, request }),
      review: submitted && reviewOf(submitted),
      inheritedAsk: parent?.ask,
      isOutside: trigger?.outside === true,
    };
    const model = this.#model(input);
    const program = team === undefined && parent?.team === undefined ? undefined : PROGRAM_FOLDER;
    const added = team?.standards ?? parent?.standards ?? [];
    const packs = runSkills({ ...this.#skillsWhere(project), program }, listedPacks(input), added);
    const rights =
      team?.handIn !== undefined
        ? this.#handInRights(team.handIn, { project, isApart: team.workplace?.commit !== undefined })
        : submitted?.gate === undefined
          ? withTeamTools(this.#rights({ ...input, packs: packs.map(({ slug }) => slug) }, packs), team)
          : { tools: { value: [...GATE_REVIEW_TOOLS], because: "a review for a quality gate" } };
    const ask = resolveAsk(input);
    const standards = added.filter((name) => packs.some(({ slug }) => slug === name));
    const timeout = resolveTimeout(input);
    const texts = this.#texts(project, order);
    const { variables, overrides, options } = request;
    const workplace = this.#workplace(order, rights.tools.value);
    const workdir = workplace?.workdir ?? this.workdirOf(project);
    const redactor = secrets.read(project);
    const { feedback, comments, conflict, onto } = continues ?? {};
    const contextWindow = contextWindowOf(model.value, config);
    const knowledge = this.#knowledge(project, task, { tools: rights.tools.value, told: team?.brief });
    const skills = team?.handIn === undefined ? skillsPart(packs, contextWindow) : undefined;
    const parts = { ...texts, knowledge, skills };
    const leftOut = workplace === undefined ? [] : hall.workdirs.leftOutFor(project.id);
    const built = buildPrompt({
      role,
      project,
      task,
      workdir,
      leftOut,
      worktree: workplace === undefined || rights.sandbox === undefined ? undefined : project.config.worktree,
      ...parts,
      variables,
      feedback,
      comments,
      conflict,
      onto: onto === undefined ? undefined : workplace?.target,
      submitted,
      answers,
      team,
      helper: parent?.team === undefined || team?.handIn !== undefined ? undefined : (overrides.rank ?? "worker"),
    });
    const { temperature, maxTokens } = { ...role.modelConfig, ...input.assignment?.modelConfig };
    return {
      runId,
      projectId: project.id,
      taskId: task.id,
      roleId: role.id,
      rank: overrides.rank ?? "worker",
      ...(parent === undefined ? {} : { parentRunId: parent.runId }),
      ...(asker === undefined ? {} : { asker }),
      depth: parent === undefined ? 0 : parent.depth + 1,
      title: redactor.text(task.title),
      ...redactor.deep(built),
      ...(knowledge === undefined ? {} : { knowledge: { used: knowledge.used, of: knowledge.of } }),
      model,
      thinking: resolveThinking(input),
      timeout,
      ...rights,
      ...(ask.length === 0 ? {} : { ask }),
      ...(standards.length === 0 ? {} : { standards }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      limits: resolveLimits(input, timeout.value),
      ...criteriaOf(order, rights.tools.value, (text) => redactor.text(text)),
      contextWindow,
      tiers: this.#options.decisions.text(),
      options: { notifyOnComplete: options.notifyOnComplete, createArtifact: options.createArtifact },
      ...(workplace === undefined ? {} : { workplace }),
      ...(continues === undefined ? {} : { continues: redactor.deep(withoutBranch(continues)) }),
      purpose: submitted === undefined ? (team === undefined ? "work" : teamPurpose(team)) : "review",
      ...(submitted?.run === undefined ? {} : { reviewOf: submitted.run.id }),
      ...(submitted?.gate === undefined ? {} : { gateReview: { earlier: submitted.gate.earlier } }),
      ...(trigger === undefined ? {} : { trigger }),
      ...teamOf(order, (text) => redactor.text(text)),
      createdAt: at,
    };
  }

  /** A team has roles of its own; one of the hall with the same id comes before it. */
  #roleOf(id: string, team: RunTeam | undefined): Role {
    const isBuiltIn = team !== undefined || id === EXPLORE_ROLE;
    const builtIn = isBuiltIn && this.#options.core.roles.get(id) === undefined ? builtInRole(id) : undefined;
    return builtIn ?? this.#options.hall.roles.get(id);
  }

  /** It reads, and hands one thing in. Commands it runs only where what they change is thrown away. */
  #handInRights(
    handIn: HandInOrder,
    { project, isApart }: { project: Project; isApart: boolean },
  ): Pick<RunPlan, "tools" | "sandbox"> {
    const { core, sandbox: state } = this.#options;
    const tools = [...READ_TOOLS, SUBMIT_TOOLS[handIn.kind]];
    const because = "a run that leads or checks for a team";
    const sandbox = handIn.kind === "check" && isApart ? sandboxFor(project, state(), core.files.root) : undefined;
    if (sandbox === undefined || typeof sandbox === "string") return { tools: { value: tools, because } };
    return { tools: { value: [...tools, "exec"], because }, sandbox };
  }

  /** What a role would be given in a project, whether it can start or not. */
  outfit(role: Role, project: Project): Outfit {
    const { config, models } = this.#options;
    const assignment = project.team.find((entry) => entry.roleId === role.id);
    const chosen = { config, defaultModel: models.defaultModel(), whyNot: models.whyNot };
    const input: ResolveInput = { role, project, assignment, overrides: {}, ...chosen };
    const model = resolveModel(input);
    const packs = runSkills(this.#skillsWhere(project), listedPacks(input));
    const { input: given } = this.#sandboxed({ ...input, packs: packs.map(({ slug }) => slug) });
    const whyNot = models.whyNot(model.value);
    const unasked = whyNot === undefined ? [] : [`${whyNot} Why this model: ${model.because}.`];
    const place = this.#options.core.workdirRecords.placeOf(project);
    const unreached = typeof place === "string" ? [] : [place.message];
    const workdir = typeof place === "string" ? place : (project.workdir ?? "");
    const tools = resolveTools(given).value;
    const ask = resolveAsk(given).filter((name) => tools.includes(name));
    return { tools, ask, workdir, problems: [...unreached, ...unasked, ...lackingTools(given)] };
  }

  #workplace(order: PlanOrder, tools: string[]): Workplace | undefined {
    const { runId, task, parent, repository, continues, submitted, team } = order;
    if (team?.handIn !== undefined) return team.workplace;
    // What an agent starts is a part of its own work, and sees it.
    if (parent !== undefined) return parent.workplace;
    const folder = `${this.#options.core.files.root}/${WORKTREES_FOLDER}`;
    if (submitted !== undefined) return submitted.left && lookingAt(submitted.left, { runId, folder });
    const branches = { branch: continues?.branch, onto: continues?.onto, target: team?.target };
    return workplaceFor({ runId, taskId: task.id, tools, repository, folder, ...branches });
  }

  #resolveInput(of: { role: Role; project: Project; request: SpawnRequest }): ResolveInput {
    const { role, project, request } = of;
    const { config, models } = this.#options;
    const assignment = project.team.find((entry) => entry.roleId === role.id);
    if (assignment?.status === "paused")
      throw new HallError("illegal_move", `Role '${role.id}' is paused in project '${project.id}'.`, {
        hint: hint("role-resume", { role: role.id, project: project.id }),
      });
    const { overrides } = request;
    return { role, project, assignment, overrides, config, defaultModel: models.defaultModel(), whyNot: models.whyNot };
  }

  /** A role that runs no commands has nothing to do with sandboxes, and is not refused for them. */
  #rights(input: ResolveInput, packs: readonly SkillSummary[]): Pick<RunPlan, "tools" | "skills" | "sandbox"> {
    const { input: given, sandbox } = this.#sandboxed(input);
    const skills = packs.length === 0 ? {} : { skills: packs.map(({ slug }) => slug) };
    const kept = sandbox && { sandbox: withPacks(sandbox, packs, this.#options.core.files.root) };
    return { tools: resolveTools(given), ...skills, ...kept };
  }

  /** What its commands run in, or why it runs none. */
  #sandboxed(input: ResolveInput): { input: ResolveInput; sandbox?: RunSandbox } {
    if (!resolveTools(input).value.includes("exec")) return { input };
    const { core, sandbox: state } = this.#options;
    const sandbox = sandboxFor(input.project, state(), core.files.root);
    return typeof sandbox === "string" ? { input: { ...input, whyNoCommands: sandbox } } : { input, sandbox };
  }

  /** Refuses a model that cannot be asked, and says who chose it. */
  #model(input: ResolveInput): RunPlan["model"] {
    if (input.overrides.preset !== undefined && !input.config.agentTeams.enabled)
      throw new HallError("invalid", "overrides.preset: there are no presets while agentTeams.enabled is false.");
    const model = resolveModel(input);
    const reason = this.#options.models.whyNot(model.value);
    if (reason === undefined) return model;
    throw new HallError("invalid", `${reason} Why this model: ${model.because}.`, {
      hint: hint("doctor-models"),
    });
  }

  /** Undefined when prompts are to have none, or nothing is known. */
  #knowledge(
    project: Project,
    task: Task,
    { tools, told }: { tools: readonly string[]; told: string | undefined },
  ): PromptInput["knowledge"] {
    const { title, description, acceptanceCriteria, labels } = task;
    const tokens = this.#options.config.knowledge.promptTokens;
    if (tokens === 0) return undefined;
    const criteria = acceptanceCriteria.map((criterion) => criterion.text);
    const text = [title, ...labels, ...criteria, description.slice(0, MOST_READ)].join("\n");
    const brief = this.#options.hall.knowledge.brief(project.id, { text, tokens, told });
    return brief.of === 0 ? undefined : { ...brief, isSearchable: tools.includes("knowledge_search") };
  }

  #skillsWhere(project: Project): SkillsWhere {
    const { files, workdirRecords } = this.#options.core;
    const place = workdirRecords.placeOf(project);
    return { workspace: files.root, projectId: project.id, workdir: typeof place === "string" ? place : undefined };
  }

  #texts(project: Project, { task, request, submitted }: PlanOrder) {
    const { own, work } = this.#folders(project);
    const { text: markdown } = quote(own, "PROJECT.md");
    const outcome = parseFrontmatter(markdown);
    return {
      overview: withoutPlaceholders(outcome.ok ? outcome.parsed.body.trim() : markdown),
      memory: withoutPlaceholders(quote(own, "MEMORY.md").text),
      memoryIndex: memoryIndex(own.files, MEMORY_INDEX_TOKENS, { folder: `${own.within}/${MEMORY_FOLDER}` }),
      guide: this.#options.instructions.inForce(project),
      contextFiles: request.contextFiles.map((path) => quote(own, path, [path, `CONTEXT/${path}`])),
      taskFiles: task.context.files.map((path) =>
        // The project's folder has them as they were before.
        submitted?.left === undefined ? quote(work, path) : { path, text: "(in your working folder, as submitted)" },
      ),
    };
  }

  /** The project's own folder, and that in which its agents work. */
  #folders(project: Project): { own: QuotedFolder; work: QuotedFolder } {
    const { files } = this.#options.core;
    const root = projectRoot(project.id);
    assertWorkdir(project.workdir, { root: files.root, projectId: project.id });
    const workdir = this.workdirOf(project);
    const isSecret = envFileJudge(project.config.envFiles ?? [], [workdir, `${files.root}/${root}`]);
    const own = { files, within: root, isSecret };
    if (project.workdir === undefined) return { own, work: own };
    return { own, work: { files: new Files(workdir, "kept", "refused", "given"), within: ".", isSecret } };
  }
}

/** Members have the bus of their team, read tasks and ask subagents, and a head that manages starts agents, whatever their roles say. */
function withTeamTools<Rights extends Pick<RunPlan, "tools">>(rights: Rights, team: TeamPart | undefined): Rights {
  const { value, because } = rights.tools;
  if (team === undefined) return rights;
  const added = [...MEMBER_TOOLS, ...(team.delegates === true ? [DELEGATES_BY] : [])];
  return { ...rights, tools: { value: [...new Set([...value, ...added])], because } };
}

/** What it has to report on: a part of another run's work and a review have criteria of their own. */
function criteriaOf(
  { task, parent, submitted, team }: PlanOrder,
  tools: readonly string[],
  redact: (text: string) => string,
): Pick<RunPlan, "criteria" | "criteriaTexts"> {
  const isOwn = parent === undefined && submitted === undefined && team?.handIn === undefined;
  const isReported = isOwn && tools.includes("report");
  if (!isReported || task.acceptanceCriteria.length === 0) return {};
  const texts = task.acceptanceCriteria.map(({ text }) => text);
  // Keys, because what is hidden in a text would keep it from being recognized.
  return { criteria: texts.map(criterionKey), criteriaTexts: texts.map(redact) };
}

function teamOf(
  { team, parent }: PlanOrder,
  redact: (text: string) => string,
): Pick<RunPlan, "team" | "brief" | "handIn" | "returns"> {
  if (team === undefined) return parent?.team === undefined ? {} : { team: parent.team };
  const { of, brief, handIn, returns } = team;
  const asked = { ...(handIn === undefined ? {} : { handIn }), ...(returns === undefined ? {} : { returns }) };
  return { team: of, brief: redact(brief), ...asked };
}

/** A reviewer may run commands where what they change is thrown away with the worktree. */
function reviewOf({ left }: SubmittedResult): NonNullable<ResolveInput["review"]> {
  return { mayRunCommands: left !== undefined };
}

function withoutBranch({ runId, feedback, comments = [], conflict }: Continued): NonNullable<RunPlan["continues"]> {
  const said = comments.length === 0 ? {} : { comments };
  return { runId, feedback, ...said, ...(conflict === undefined ? {} : { conflict }) };
}

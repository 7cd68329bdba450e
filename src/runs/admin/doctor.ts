import type { SandboxState } from "../../contract/documents/sandbox.ts";
import type { Problem } from "../../contract/problem.ts";
import { hasOwnCheck } from "../../contract/problem-kind.ts";
import type { ModelsReport } from "../../contract/routes/model-routes.ts";
import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import { failed, ok, warning, worstFirst } from "./health-check.ts";
import { modelChecks } from "./model-checks.ts";

/** Programs in which people work with agents, or that serve models, and what the hall has of them. */
export const AGENT_PROGRAMS = ["claude", "codex", "gemini", "opencode", "ollama"] as const;

/** What was found out about the machine and the hall. */
export interface Findings {
  ground: readonly HealthCheck[];
  index: { schema: number; rebuiltAt?: string };
  containment: "descriptor" | "realpath";
  sandbox: SandboxState;
  git: { version: string | undefined; tooOld: string | undefined };
  problems: readonly Problem[];
  models: ModelsReport;
  /** Where each of the programs lies that was found. */
  programs: Readonly<Record<string, string>>;
}

export function checksOf(found: Findings): HealthCheck[] {
  const hasConfigProblem = found.problems.some(({ kind }) => kind === "config" || kind === "permissions");
  return worstFirst([
    // One row for the configuration: what is wrong with it, or that it is valid.
    ...found.ground.filter(({ id, state }) => !(id === "config" && state === "ok" && hasConfigProblem)),
    indexCheck(found.index, found.problems),
    containmentCheck(found.containment),
    sandboxCheck(found.sandbox),
    gitCheck(found.git),
    ...problemChecks(found.problems),
    ...modelChecks(found.models),
    programsCheck(found.programs),
  ]);
}

function indexCheck({ schema, rebuiltAt }: Findings["index"], problems: readonly Problem[]): HealthCheck {
  const failure = problems.find(({ kind }) => kind === "index");
  if (failure !== undefined) return warning({ id: "index", title: "Index" }, failure.reason, hint("index-rebuild"));
  const built = rebuiltAt === undefined ? "" : `, built ${rebuiltAt.slice(0, 16).replace("T", " ")} UTC`;
  return ok({ id: "index", title: "Index" }, `schema ${schema}${built}`);
}

function containmentCheck(containment: Findings["containment"]): HealthCheck {
  const subject = { id: "containment", title: "Containment" };
  if (containment === "descriptor") return ok(subject, "files are opened relative to their folder");
  return warning(subject, "paths are checked before files are opened; another program could replace them in between");
}

function sandboxCheck({ name, detail }: SandboxState): HealthCheck {
  const sandbox = { id: "sandbox", title: "Sandbox" };
  if (name !== "none") return ok(sandbox, detail);
  return warning(
    sandbox,
    `${detail}; agents can't run commands, except in projects with sandbox.unsandboxed`,
    "Install bubblewrap, or allow commands without a sandbox with sandbox.unsandboxed in a project.",
  );
}

function gitCheck({ version, tooOld }: Findings["git"]): HealthCheck {
  const git = { id: "git", title: "Git" };
  if (version === undefined)
    return warning(git, "git is not installed", "Install git: without it, agents work without branches.");
  return tooOld === undefined ? ok(git, version) : warning(git, tooOld, "Install a newer git, then restart.");
}

function problemChecks(problems: readonly Problem[]): HealthCheck[] {
  const said = (...kinds: Problem["kind"][]) => problems.filter(({ kind }) => kinds.includes(kind));
  const watching = said("watch");
  return [
    filesCheck(problems.filter((problem) => !hasOwnCheck(problem))),
    ...(watching.length === 0 ? [ok({ id: "watch", title: "Watch" }, "file edits are detected immediately")] : []),
    ...watching.map((problem, at) => ownCheck({ id: `watch-${at + 1}`, title: "Watch" }, problem)),
    ...said("config", "permissions").map((problem, at) =>
      ownCheck({ id: `config-${at + 1}`, title: "Configuration" }, problem),
    ),
    ...said("run").map((problem, at) => ownCheck({ id: `runs-${at + 1}`, title: "Runs" }, problem)),
    ...said("delivery").map((problem, at) => ownCheck({ id: `delivery-${at + 1}`, title: "Deliveries" }, problem)),
    ...said("repository").map((problem, at) => ownCheck({ id: `repository-${at + 1}`, title: "Repository" }, problem)),
  ];
}

function filesCheck(problems: readonly Problem[]): HealthCheck {
  const files = { id: "files", title: "Files" };
  if (problems.length === 0) return ok(files, "all files are readable");
  const invalid = problems.filter(({ severity }) => severity === "invalid").length;
  const others = problems.length - invalid;
  const counts = [
    ...(invalid === 0 ? [] : [`${invalid === 1 ? "1 file" : `${invalid} files`} can't be read`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? "warning" : "warnings"}`]),
  ];
  const hint = "Fix the files listed under problems; they reload on save.";
  return (invalid > 0 ? failed : warning)(files, counts.join(", "), hint);
}

/** Runs, the watch and deliveries stand still for reasons that no file is to blame for. */
function ownCheck(subject: Pick<HealthCheck, "id" | "title">, { kind, file, line, reason, severity }: Problem) {
  const place = line === undefined ? file : `${file}:${line}`;
  const isOfNoFile = kind === "run" || kind === "watch" || (kind === "delivery" && severity === "warning");
  const detail = isOfNoFile ? reason : `${place}: ${reason}`;
  return (severity === "invalid" ? failed : warning)(subject, detail);
}

function programsCheck(programs: Findings["programs"]): HealthCheck {
  const found = AGENT_PROGRAMS.flatMap((name) => (programs[name] === undefined ? [] : [`${name} (${programs[name]})`]));
  const none = `none found of ${AGENT_PROGRAMS.join(", ")} (optional)`;
  return ok({ id: "programs", title: "Agent programs" }, found.length === 0 ? none : found.join(", "));
}

import type { ModelsReport } from "../contract/model-routes.ts";
import type { Problem } from "../contract/problem.ts";
import type { SandboxState } from "../contract/sandbox.ts";
import type { HealthCheck } from "../contract/settings-routes.ts";
import type { DiskRoom } from "../store/disk-room.ts";

/** Programs in which people work with agents, or that serve models, and what the hall has of them. */
export const AGENT_PROGRAMS = ["claude", "codex", "gemini", "opencode", "ollama"] as const;
const LITTLE_ROOM = 1024 ** 3;
const TOO_LITTLE_ROOM = 100 * 1024 ** 2;

/** What was found out about the machine and the hall. */
export interface Findings {
  node: string;
  workspace: string;
  /** Of the folder with the token, and of the token; undefined where there is none, or permissions mean nothing. */
  modes: { state: number | undefined; token: number | undefined };
  index: { schema: number; rebuiltAt?: string };
  containment: "descriptor" | "realpath";
  sandbox: SandboxState;
  git: { version: string | undefined; tooOld: string | undefined };
  disk: DiskRoom | undefined;
  problems: readonly Problem[];
  models: ModelsReport;
  /** Where each of the programs lies that was found. */
  programs: Readonly<Record<string, string>>;
}

export function checksOf(found: Findings): HealthCheck[] {
  return [
    ok("node", "Node.js", found.node),
    ok("workspace", "Workspace", found.workspace),
    privacy("secrets", "Folder of secrets", found.modes.state),
    privacy("token", "Token", found.modes.token),
    ok(
      "index",
      "Index",
      `schema ${found.index.schema}${found.index.rebuiltAt ? `, built ${found.index.rebuiltAt}` : ""}`,
    ),
    found.containment === "descriptor"
      ? ok("containment", "Containment", "files are opened through their folder")
      : warn(
          "containment",
          "Containment",
          "paths are checked before they are opened, which another program could race",
        ),
    sandboxCheck(found.sandbox),
    gitCheck(found.git),
    diskCheck(found.disk),
    ...problemChecks(found.problems),
    ...modelChecks(found.models),
    programsCheck(found.programs),
  ];
}

const ok = (id: string, title: string, detail: string): HealthCheck => ({ id, title, state: "ok", detail });
const warn = (id: string, title: string, detail: string, hint?: string): HealthCheck => ({
  ...{ id, title, state: "warning", detail },
  ...(hint === undefined ? {} : { hint }),
});

function privacy(id: string, title: string, mode: number | undefined): HealthCheck {
  if (mode === undefined) return warn(id, title, "its permissions cannot be told");
  const shown = mode.toString(8).padStart(4, "0");
  if ((mode & 0o077) === 0) return ok(id, title, `mode ${shown}`);
  const hint = `Take the rights of others away: chmod ${id === "token" ? "600 .guildhall/token" : "700 .guildhall"}`;
  return { id, title, state: "failed", detail: `mode ${shown}: others can reach it`, hint };
}

function sandboxCheck({ name, detail }: SandboxState): HealthCheck {
  if (name !== "none") return ok("sandbox", "Sandbox", detail);
  const hint = "Install bubblewrap, or accept commands without a sandbox with sandbox.unsandboxed in a project.";
  return warn(
    "sandbox",
    "Sandbox",
    `${detail}; agents run no commands, but in projects that set sandbox.unsandboxed`,
    hint,
  );
}

function gitCheck({ version, tooOld }: Findings["git"]): HealthCheck {
  const [id, title] = ["git", "Git"];
  if (version === undefined)
    return warn(id, title, "there is no git", "Install git: without it agents work in folders without branches.");
  return tooOld === undefined ? ok(id, title, version) : warn(id, title, tooOld, "Install a newer git, then restart.");
}

function diskCheck(disk: DiskRoom | undefined): HealthCheck {
  const [id, title] = ["disk", "Disk"];
  if (disk === undefined) return warn(id, title, "the room on the disk cannot be told");
  const detail = `${gigabytes(disk.free)} of ${gigabytes(disk.size)} GB are free`;
  if (disk.free >= LITTLE_ROOM) return ok(id, title, detail);
  const hint = "Make room on the disk that the workspace is on.";
  return { id, title, state: disk.free < TOO_LITTLE_ROOM ? "failed" : "warning", detail, hint };
}

const gigabytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);

function problemChecks(problems: readonly Problem[]): HealthCheck[] {
  const of = (...kinds: Problem["kind"][]) => problems.filter(({ kind }) => kinds.includes(kind));
  const said = (id: string, title: string, found: readonly Problem[]) =>
    found.map(({ file, reason }, at) => warn(`${id}-${at + 1}`, title, `${file}: ${reason}`));
  const files = problems.filter(({ kind }) => !["run", "watch", "config", "permissions"].includes(kind));
  const invalid = files.filter(({ severity }) => severity === "invalid").length;
  const hint = "Mend the files named under problems; they are read again as soon as they are saved.";
  return [
    files.length === 0
      ? ok("files", "Files", "every file can be read")
      : {
          ...warn("files", "Files", `${invalid} cannot be understood, ${files.length - invalid} deserve a look`, hint),
          state: invalid > 0 ? "failed" : "warning",
        },
    ...(of("watch").length === 0 ? [ok("watch", "Watch", "changes made by hand are seen at once")] : []),
    ...said("watch", "Watch", of("watch")),
    ...said("config", "Configuration", of("config", "permissions")),
    ...said("runs", "Runs", of("run")),
  ];
}

function modelChecks({ default: model, offline, providers, team }: ModelsReport): HealthCheck[] {
  const hint =
    "For a real model put a key such as ANTHROPIC_API_KEY into the environment or into .guildhall/secrets of the workspace, or start Ollama, then restart the daemon.";
  const title = "Default model";
  return [
    model === offline
      ? warn(
          "model",
          title,
          `only the offline model ${offline}, which rehearses: it costs nothing and does no real work`,
          hint,
        )
      : ok("model", title, model),
    ...providers.map(providerCheck),
    ...Object.entries(team.ranks).flatMap(([rank, { model: asked, problem }]) =>
      problem === undefined ? [] : [warn(`rank-${rank}`, `Model of a ${rank}`, `${asked}: ${problem}`)],
    ),
  ];
}

function providerCheck({ name, kind, source, key, keyNames, baseUrl, models }: ModelsReport["providers"][number]) {
  const [id, title] = [`provider-${name}`, `Provider ${name}`];
  const about = [kind, baseUrl, `found in: ${source}`].filter((part) => part !== undefined).join(", ");
  const offers = models === undefined ? "" : `, with ${models.join(", ")}`;
  if (key || keyNames === undefined)
    return ok(id, title, `${about}${key ? ", with its key" : ", needs no key"}${offers}`);
  const hint = `Put it into ${keyNames.join(" or ")}, in the environment or in .guildhall/secrets of the workspace, then restart the daemon.`;
  return warn(id, title, `${about}, without a key`, hint);
}

function programsCheck(programs: Findings["programs"]): HealthCheck {
  const found = AGENT_PROGRAMS.flatMap((name) => (programs[name] === undefined ? [] : [`${name} (${programs[name]})`]));
  const none = `none of ${AGENT_PROGRAMS.join(", ")} was found, and none is needed`;
  return ok("programs", "Agents' programs", found.length === 0 ? none : found.join(", "));
}

import type { DetectedCheck, GateLine, GateReport } from "../../../contract/documents/quality/gate.ts";
import { HallError } from "../../../contract/errors.ts";
import type { RouteResponse } from "../../../contract/routes/routes.ts";
import { GATE_EXIT, GATE_VERDICT_WORDS, GATE_VERDICTS } from "../../../contract/words/gate-words.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import { type Context, chosenProject, requiredProject } from "../../context.ts";
import { paging, project } from "../../shared-options.ts";
import { gateText, stageLine, VERDICT_STYLES } from "../../text/gate-text.ts";
import { fieldLines, localTime } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const gate = { kind: "one", help: "Gate report id, such as gate-01m7p3p8ca0000" } as const satisfies ArgumentSpec;
const here = {
  ...project,
  help: "Project (default: $GUILDHALL_PROJECT, or the one that works in this folder)",
} as const;
/** How often a gate of the daemon is looked at. */
const LOOK_MS = 400;

export const commands = {
  "gate check": command(
    {
      summary: "Judge a change: does it compile, do its tests pass, is it proven",
      detail:
        "Works in any git repository, with or without a project or the daemon. Without options it judges uncommitted changes. " +
        "Nothing is written to the repository. Exits with 0 if the change passes, 1 if it fails, 2 if it could not be judged and 64 for wrong usage.",
      options: {
        base: { kind: "text", value: "REF", help: "Judge the changes since this branch or commit (default: HEAD)" },
        head: { kind: "text", value: "REF", help: "Judge up to this commit instead of the files in the folder" },
        run: { kind: "text", value: "RUN", help: "Judge the result of a run" },
        project: here,
        model: { kind: "off", help: "Don't ask reviewers; local checks only" },
        dryRun: { kind: "flag", help: "Show what would be checked" },
        force: { kind: "flag", help: "Judge again even if the same change was judged before" },
      },
      examples: [
        "gate check",
        "gate check --base origin/main --no-model",
        "gate check --base main --head feature --json",
      ],
    },
    async (asked, context) => {
      const report = await check(asked, context);
      context.output.answer(report, () => gateText(report, context.output));
      return GATE_EXIT[report.verdict ?? "unable"];
    },
  ),

  "gate show": command(
    {
      summary: "Show a gate report",
      detail: "Exits like 'gate check'.",
      args: { gate },
      examples: ["gate show gate-01m7p3p8ca0000", "gate show gate-01m7p3p8ca0000 --json"],
    },
    async ({ gate: id }, { call, output }) => {
      const { gate: report } = await call("getGate", { params: { id } });
      output.answer(report, () =>
        [
          gateText(report, output),
          "",
          ...fieldLines(
            [
              ["id", report.id],
              ["project", report.projectId],
              ["task", report.taskId],
              ["run", report.runId],
              ["cycle", report.cycle],
              ["base", report.base],
              ["head", report.head],
              ["tree", report.tree],
              ["started", localTime(report.startedAt)],
              ["ended", report.endedAt && localTime(report.endedAt)],
            ],
            output.paint,
          ),
        ].join("\n"),
      );
      return GATE_EXIT[report.verdict ?? "unable"];
    },
  ),

  "gate list": command(
    {
      summary: "List gate reports of a project, the newest first",
      options: {
        project,
        task: { kind: "text", value: "TASK", help: "Filter by task" },
        verdict: { kind: "text", value: "VERDICT", help: "Filter by verdict", words: GATE_VERDICTS },
        limit: paging.limit,
        cursor: paging.cursor,
      },
      examples: ["gate list -p shop", "gate list -p shop --verdict fail --json"],
    },
    async ({ project, task, verdict, limit, cursor }, context) => {
      const { call, output } = context;
      const id = requiredProject(project, context);
      const query = { task, verdict: verdict as GateLine["verdict"], limit, cursor };
      const answer = await call("listGates", { params: { id }, query });
      output.answer(answer, () =>
        answer.gates.length === 0 ? "No gate reports." : textTable(lineColumns, answer.gates, output),
      );
      return 0;
    },
  ),

  "gate detect": command(
    {
      summary: "Show what a gate would run here, and its settings",
      detail: "Works in any git repository, with or without the daemon.",
      options: { project: here },
      examples: ["gate detect", "gate detect -p shop --json"],
    },
    async ({ project }, context) => {
      const { output, call, host, workspace } = context;
      const place = await placeOf(project, context);
      const answer: RouteResponse<"detectChecks"> =
        place === undefined
          ? await (await host.loadDaemon()).detectAtRest({ workspace, folder: process.cwd() })
          : await call("detectChecks", { params: { id: place } });
      output.answer(answer, () =>
        [
          answer.checks.length === 0
            ? "Nothing was detected. Set qualityGates.commands.tests to the command that runs your tests."
            : textTable(checkColumns, answer.checks, output),
          "",
          ...fieldLines(
            [
              ["threshold", answer.settings.passThreshold],
              ["tests", answer.settings.testScope],
              ["red before green", answer.settings.enforceTDD ? "yes" : "no"],
              ["proof", answer.settings.proof],
              ["spec", answer.settings.spec],
            ],
            output.paint,
          ),
        ].join("\n"),
      );
      return 0;
    },
  ),
};

interface Asked {
  base?: string | undefined;
  head?: string | undefined;
  run?: string | undefined;
  project?: string | undefined;
  model?: boolean | undefined;
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
}

async function check(asked: Asked, context: Context): Promise<GateReport> {
  const { base, head, run, project, dryRun = false, force, model } = asked;
  if (run !== undefined && (base !== undefined || head !== undefined))
    throw new HallError("usage", "--run can't be combined with --base and --head.");
  const ofRun =
    run === undefined ? undefined : (await context.call("getRun", { params: { runId: run } })).run.projectId;
  const id = ofRun ?? (await placeOf(project, context));
  if (id === undefined) return atRest({ base, head, isDryRun: dryRun }, context);
  const query = { model: model === false ? ("none" as const) : undefined, dryRun: dryRun || undefined, force };
  const { gate: begun } = await context.call("createGate", { params: { id }, query, body: { base, head, runId: run } });
  return begun.state === "finished" ? begun : followed(begun, context);
}

/** The project that is meant; undefined where the folder is judged by itself. */
async function placeOf(option: string | undefined, context: Context): Promise<string | undefined> {
  const named = chosenProject(option, context);
  if (named !== undefined && named !== "") return named;
  try {
    const { projects } = await context.call("listProjects", { query: { status: "active" } });
    const found = await Promise.all(
      projects.map(async ({ id }) => (await context.call("getProject", { params: { id } })).project),
    );
    const folder = `${process.cwd()}/`;
    // Of folders in each other the inner one.
    const around = found.filter(({ workdir }) => workdir !== undefined && folder.startsWith(`${workdir}/`));
    return around.toSorted((one, other) => (other.workdir ?? "").length - (one.workdir ?? "").length)[0]?.id;
  } catch (error) {
    if (error instanceof HallError && (error.code === "daemon_unreachable" || error.code === "stopping"))
      return undefined;
    throw error;
  }
}

async function atRest(
  asked: Pick<Asked, "base" | "head"> & { isDryRun: boolean },
  context: Context,
): Promise<GateReport> {
  const { host, workspace } = context;
  const { checkAtRest } = await host.loadDaemon();
  const controller = new AbortController();
  host.onInterrupt(() => controller.abort(), ["SIGTERM", "SIGHUP"]);
  const told = new Told(context);
  try {
    const folder = process.cwd();
    const onStage = (report: GateReport) => told.hear(report);
    return await checkAtRest({ ...asked, workspace, folder, onStage, signal: controller.signal });
  } finally {
    host.onInterrupt(undefined);
  }
}

/** Waits for a gate of the daemon; Ctrl-C cancels it. */
async function followed(begun: GateReport, context: Context): Promise<GateReport> {
  const { call, host } = context;
  const told = new Told(context);
  const params = { id: begun.id };
  host.onInterrupt(() => void call("cancelGate", { params }).catch(() => undefined));
  try {
    for (let report = begun; ; { gate: report } = await call("getGate", { params })) {
      told.hear(report);
      if (report.state === "finished") return report;
      await host.time.pause(LOOK_MS);
    }
  } finally {
    host.onInterrupt(undefined);
  }
}

/** Tells of each stage once, on a terminal. */
class Told {
  readonly #context: Context;
  readonly #names = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  hear({ stages }: GateReport): void {
    const { output, host } = this.#context;
    if (output.json || !host.err.isTerminal) return;
    for (const stage of stages) {
      if (stage.verdict === undefined || stage.verdict === "skipped" || this.#names.has(stage.name)) continue;
      this.#names.add(stage.name);
      output.note(stageLine(stage, output));
    }
  }
}

const lineColumns: Column<GateLine>[] = [
  { title: "ID", text: ({ id }) => id },
  {
    title: "VERDICT",
    text: ({ verdict }) => (verdict === undefined ? "Running" : GATE_VERDICT_WORDS[verdict]),
    style: ({ verdict }) => verdict && VERDICT_STYLES[verdict],
  },
  { title: "SCORE", text: ({ score }) => (score === null ? "" : String(score)) },
  { title: "BLOCKING", text: ({ blocking }) => (blocking === 0 ? "" : String(blocking)), spare: 2 },
  { title: "CYCLE", text: ({ cycle }) => String(cycle), spare: 3 },
  { title: "TASK", text: ({ taskId = "" }) => taskId, spare: 1 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
  { title: "STARTED", text: ({ startedAt }) => localTime(startedAt), spare: 4 },
];

const checkColumns: Column<DetectedCheck>[] = [
  { title: "CHECK", text: ({ check }) => check },
  { title: "LANGUAGE", text: ({ language }) => language, spare: 2 },
  { title: "TOOL", text: ({ tool }) => tool },
  { title: "COMMAND", text: ({ command }) => command, flexible: true },
  { title: "FOLDER", text: ({ folder }) => folder },
  { title: "FROM", text: ({ from }) => from, spare: 1 },
  { title: "MISSING", text: ({ missing = "" }) => missing, style: () => "yellow" },
];

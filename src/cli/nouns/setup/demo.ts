import { rmSync } from "node:fs";
import { HallError } from "../../../contract/errors.ts";
import { command } from "../../command.ts";
import type { CommandSpec, InputOf } from "../../command-spec.ts";
import type { Context } from "../../context.ts";
import { brokenPromises } from "../../demo/check-demo.ts";
import { closingText } from "../../demo/demo-closing.ts";
import { commitsOf, type DemoPlaces, makeDemoFolder, USUAL_PACE } from "../../demo/demo-folder.ts";
import { demoLine } from "../../demo/demo-line.ts";

import { stageDemo } from "../../demo/demo-stage.ts";
import type { DemoStep, DemoSummary, Tell } from "../../demo/demo-step.ts";
import { type DemoRuns, playDemo } from "../../demo/play-demo.ts";
import { runTests, type TestCount } from "../../demo/test-count.ts";
import type { LogEntry, RunningDaemon } from "../../host.ts";
import { createClient } from "../../http/client.ts";
import { findDaemon } from "../../http/connection.ts";
import { harmlessJson, oneLine } from "../../text/plain-text.ts";
import type { TableSpace } from "../../text/text-table.ts";
import { wrapProse } from "../../text/text-wrap.ts";

const INTERRUPTED = 130;
const SLOWEST = 60;

const demo = {
  summary: "Watch agents fix a small project; no API key needed",
  detail:
    "Creates a temporary workspace and a small git repository with a failing test, starts its own daemon and lets scripted agents " +
    "(offline model) fix it in under a minute: a team writes a spec and a plan, the demo approves it, and the result is merged. The tests are " +
    "real, and a quality gate sends the first fix back. Afterwards it keeps running until Ctrl-C, " +
    "and the files are kept. Your own workspace is never touched, and --workspace is not accepted. Exits with 1 if the demo fails.",
  options: {
    once: { kind: "flag", help: "Run at full speed, check the result, exit and remove the files" },
    keep: { kind: "flag", help: "Keep the files after --once" },
    pace: {
      kind: "number",
      value: "SECONDS",
      help: "Delay before each agent step (default 1.5, or 0 with --once)",
    },
    open: { kind: "off", help: "Don't open the browser" },
    build: { kind: "off", help: "Don't build the dashboard" },
  },
  ownWorkspace: true,
  examples: ["demo", "demo --pace 3 --no-open", "demo --once --json"],
} as const satisfies CommandSpec;

export const commands = {
  /** Plays the demo in a folder of its own; unless `--once`, the hall stays up afterwards. */
  demo: command(demo, async (input, context) => {
    const pace = paceOf(input);
    const interruption = listenForInterruption(context);
    const places = makeDemoFolder({ pace });
    let daemon: RunningDaemon | undefined;
    try {
      daemon = await start(places, context);
      const show = perform({ places, daemon, input, context, signal: interruption.signal });
      const outcome = await Promise.race([show.then(() => "played"), interruption.came, daemon.stopped]);
      if (outcome !== "played") return INTERRUPTED;
      if (input.once !== true) await Promise.race([interruption.came, daemon.stopped]);
      return 0;
    } finally {
      interruption.end();
      await daemon?.stop();
      leave(places, input, context);
    }
  }),
};

function paceOf({ pace, once }: InputOf<typeof demo>): number {
  if (pace !== undefined && !(pace >= 0 && pace <= SLOWEST))
    throw new HallError("usage", `--pace must be a number of seconds from 0 to ${SLOWEST}.`);
  return pace ?? (once === true ? 0 : USUAL_PACE);
}

interface Interruption {
  /** Resolves with the first Ctrl-C; the second one ends the process at once. */
  came: Promise<void>;
  signal: AbortSignal;
  /** What is still under way ends too. */
  end: () => void;
}

function listenForInterruption(context: Context): Interruption {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  const ending = new AbortController();
  let asked = false;
  context.host.onSignal(() => {
    if (asked) return context.host.exit(INTERRUPTED);
    asked = true;
    note("Stopping… Press Ctrl-C again to quit immediately.", context);
    ending.abort();
    resolve();
  });
  return { came, signal: ending.signal, end: () => ending.abort() };
}

async function start({ workspace }: DemoPlaces, { host, output }: Context): Promise<RunningDaemon> {
  const { startDaemon } = await host.loadDaemon();
  const log = (entry: LogEntry) =>
    output.note(output.json ? harmlessJson(JSON.stringify(entry)) : oneLine(`${entry.level}: ${entry.message}`));
  return startDaemon({ workspace, port: 0, calledAs: host.calledAs, log });
}

interface Performance {
  places: DemoPlaces;
  daemon: RunningDaemon;
  input: InputOf<typeof demo>;
  context: Context;
  signal: AbortSignal;
}

async function perform({ places, daemon, input, context, signal }: Performance): Promise<void> {
  const { host, output } = context;
  const startedAt = host.time.now();
  const client = createClient(() => findDaemon(places.workspace, host));
  const tell: Tell = (step) => {
    if (!signal.aborted) output.row(step, () => stepText(step, { places, input, context }));
  };
  tell({ step: "hall", url: daemon.url, link: daemon.dashboardLink(), ...places });
  if (input.once !== true) await showDashboard(daemon, input, context);
  const before = await testsOf(places, signal);
  tell({ step: "tests", moment: "before", ...before });
  const stage = await stageDemo(places, { client, tell, pause: host.time.pause });
  const runs = await playDemo(stage, { client, tell, pause: host.time.pause });
  const after = await testsOf(places, signal);
  tell({ step: "tests", moment: "after", ...after });
  const tests = { before, after };
  const broken = await brokenPromises({ client, places, stage, runs, tests });
  if (broken.length > 0) throw notAsPromised(broken, input);
  tell(summaryOf({ places, runs, tests, seconds: (host.time.now() - startedAt) / 1000 }));
}

/** Nothing begins before there are pages on which it can be followed. */
async function showDashboard(daemon: RunningDaemon, input: InputOf<typeof demo>, context: Context): Promise<void> {
  const { host, output } = context;
  const build = input.build === false ? undefined : await host.buildDashboard();
  if (build !== undefined) {
    note("Building the dashboard (first time only)…", context);
    const done = await build.ended;
    if ("problem" in done) note(`Can't build the dashboard: ${oneLine(done.problem)}`, context);
  }
  // A new link: whoever was quicker may have used the one that was printed.
  if (input.open !== false && host.out.isTerminal && !output.json) await host.openBrowser(daemon.dashboardLink());
}

function stepText(step: DemoStep, { places, input, context }: Pick<Performance, "places" | "input" | "context">) {
  const { host, output } = context;
  if (step.step === "hall") return openingText(step, output);
  if (step.step !== "summary") return demoLine(step, output);
  return closingText(step, { ...output, places, caller: host, staysUp: input.once !== true });
}

async function testsOf({ repository }: DemoPlaces, signal: AbortSignal): Promise<TestCount> {
  const tests = await runTests(repository, signal);
  if (tests === undefined) throw new HallError("internal", "Can't run the tests of the demo repository.");
  return tests;
}

interface Finished {
  places: DemoPlaces;
  runs: DemoRuns;
  tests: DemoSummary["tests"];
  seconds: number;
}

function summaryOf({ places, runs, tests, seconds }: Finished): DemoSummary {
  const { team, feature, prices, all } = runs;
  const files = all.flatMap(({ result }) => result?.filesChanged ?? []);
  return {
    step: "summary",
    seconds,
    tests,
    team: { id: team.id, met: team.requirements.met, requirements: team.requirements.total },
    runs: all.length,
    costUsd: all.reduce((sum, { usage }) => sum + usage.costUsd, 0),
    filesChanged: [...new Set(files)].sort(),
    commits: commitsOf(places.repository),
    review: { runId: feature.id, taskId: feature.taskId, files: feature.delivery?.files ?? 0 },
    failed: { runId: prices.id, taskId: prices.taskId },
  };
}

function notAsPromised(broken: readonly string[], { once, keep }: InputOf<typeof demo>): HallError {
  const kept = once !== true || keep === true;
  const hint = `This is a bug in the demo. ${kept ? "Its files were kept." : "Run it with --keep to inspect its files."}`;
  return new HallError("internal", `The demo failed: ${broken.join("; ")}.`, { hint });
}

/** The last word: where the files are, or that they are gone. */
function leave({ folder }: DemoPlaces, { once, keep }: InputOf<typeof demo>, context: Context): void {
  if (once !== true || keep === true) {
    note(`Files kept in ${oneLine(folder)}.`, context);
  } else {
    rmSync(folder, { recursive: true, force: true });
    note("Removed the demo folder. Use --keep to keep it.", context);
  }
}

/** Something to know beside the steps, which are all JSON with --json. */
function note(message: string, { output }: Context): void {
  output.note(output.json ? harmlessJson(JSON.stringify({ level: "info", message } satisfies LogEntry)) : message);
}

/** What is said before anything happens. The link stays whole: it has to be copied or clicked. */
function openingText({ link, folder }: Extract<DemoStep, { step: "hall" }>, { paint, width }: TableSpace): string {
  return wrapProse(
    [
      `${paint("bold", "Guildhall demo:")} scripted agents on the offline model. No API key, no cost.`,
      `Watch it live: ${paint("cyan", link)}`,
      `Files: ${folder}`,
      "",
    ].join("\n"),
    width,
  );
}

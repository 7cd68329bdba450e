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
  summary: "see agents at work, in a folder of its own and without a key",
  detail:
    "Makes a workspace and a small git repository with a failing test, starts a hall of its own and has the offline model " +
    "play agents that mend it, in under a minute: the tests are really run. Afterwards the hall stays up until Ctrl-C, " +
    "and the files stay. Your own workspace is never touched, and --workspace is refused. The exit code is 1 when anything does not come out as promised.",
  options: {
    once: { kind: "flag", help: "play at full speed, check what came of it, end and remove the files" },
    keep: { kind: "flag", help: "keep the files after --once" },
    pace: {
      kind: "number",
      value: "SECONDS",
      help: "how long an agent thinks before a step (1.5, or 0 with --once)",
    },
    open: { kind: "off", help: "do not open the browser" },
    build: { kind: "off", help: "do not build the dashboard" },
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
    note("Stopping; once more ends it at once.", context);
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
  const runs = await playDemo(client, stage, tell);
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
    note("Building the dashboard, this once…", context);
    const done = await build.ended;
    if ("problem" in done) note(`The dashboard could not be built: ${oneLine(done.problem)}`, context);
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
  if (tests === undefined) throw new HallError("internal", "The tests of the demo's repository could not be run.");
  return tests;
}

interface Finished {
  places: DemoPlaces;
  runs: DemoRuns;
  tests: DemoSummary["tests"];
  seconds: number;
}

function summaryOf({ places, runs, tests, seconds }: Finished): DemoSummary {
  const { feature, prices, all } = runs;
  const files = [runs.fix, runs.docs, feature].flatMap(({ result }) => result?.filesChanged ?? []);
  return {
    step: "summary",
    seconds,
    tests,
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
  const hint = `This is a defect of the demo. ${kept ? "Its files are kept." : "Run it with --keep to look at its files."}`;
  return new HallError("internal", `The demo did not come out as promised: ${broken.join("; ")}.`, { hint });
}

/** The last word: where the files are, or that they are gone. */
function leave({ folder }: DemoPlaces, { once, keep }: InputOf<typeof demo>, context: Context): void {
  if (once !== true || keep === true) {
    note(`The files stay in ${oneLine(folder)}.`, context);
  } else {
    rmSync(folder, { recursive: true, force: true });
    note("The folder of the demo is removed; --keep keeps it.", context);
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
      `${paint("bold", "Agents at work, without a key and without cost:")} the offline model plays them.`,
      `Watch it live: ${paint("cyan", link)}`,
      `The files: ${folder}`,
      "",
    ].join("\n"),
    width,
  );
}

import { HallError } from "../../contract/errors.ts";
import { startCommand } from "../connection.ts";
import type { Action, Context } from "../context.ts";
import { type Check, type DaemonReport, daemonChecks, localChecks } from "../health-checks.ts";
import { modelChecks, testCheck } from "../model-checks.ts";
import type { Paint, Style } from "../paint.ts";
import { oneLine } from "../plain-text.ts";
import { problemLines } from "../problem-lines.ts";
import { padText } from "../text-width.ts";

const UNHEALTHY = 7;
// The daemon gives a model half a minute.
const TEST_SILENCE_MS = 60_000;

export const doctor: Action<"doctor"> = async ({ testModel }, context) => {
  const { host, output, workspace } = context;
  const daemon = await askDaemon(context);
  const { checkConfig } = await host.loadDaemon();
  const start = startCommand(workspace, host.env);
  const checks = [
    ...localChecks({ workspace, checkConfig: () => checkConfig({ workspace }), start }),
    ...daemonChecks(daemon, start),
    ...(daemon.state === "up" ? modelChecks(daemon.models) : []),
    ...(testModel === undefined ? [] : [await tryModel(testModel, daemon, context)]),
  ];
  const { problems, models } = daemon.state === "up" ? daemon : { problems: [], models: undefined };
  const healthy =
    !checks.some(({ state }) => state === "failed") && !problems.some(({ severity }) => severity === "invalid");
  output.answer({ healthy, checks, problems, models }, () =>
    [
      ...checks.flatMap((check) => checkLines(check, context)),
      ...problemLines(
        problems.filter(({ kind }) => kind !== "run"),
        output.paint,
      ),
      lastWord(healthy, checks, output.paint),
    ].join("\n"),
  );
  return healthy ? 0 : UNHEALTHY;
};

function lastWord(healthy: boolean, checks: readonly Check[], paint: Paint): string {
  if (!healthy) return paint("red", "Something has to be mended.");
  return checks.some(({ state }) => state === "warning")
    ? paint("yellow", "Nothing is broken, but see the warnings above.")
    : paint("green", "All is well.");
}

/** A doctor looks at whatever there is, so a daemon that does not answer is a finding and not a failure. */
async function askDaemon({ call }: Context): Promise<DaemonReport> {
  try {
    const status = await call("getStatus", {});
    const { problems } = await call("listProblems", {});
    return { state: "up", status, problems, models: await call("listModels", {}) };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    if (error.code === "daemon_unreachable" || error.code === "stopping")
      return { state: "away", reason: error.message };
    return { state: "refusing", reason: error.message, hint: error.hint };
  }
}

/** The only check that may cost money, which is why it has to be asked for. */
async function tryModel(model: string, daemon: DaemonReport, { call, workspace, host }: Context): Promise<Check> {
  if (daemon.state !== "up") {
    const hint = `Start it with: ${startCommand(workspace, host.env)}`;
    return { name: "test", state: "failed", detail: "only the daemon can ask a model", hint };
  }
  const body = model === "" ? {} : { model };
  return testCheck(await call("testModel", { body, silenceMs: TEST_SILENCE_MS }));
}

const signs: Record<Check["state"], readonly [sign: string, style: Style]> = {
  ok: ["ok", "green"],
  warning: ["warning", "yellow"],
  failed: ["failed", "red"],
  unknown: ["unknown", "dim"],
};

function checkLines({ name, state, detail, hint }: Check, { output }: Context): string[] {
  const [sign, style] = signs[state];
  const line = `${output.paint(style, padText(sign, 7))}  ${padText(name, 11)}  ${oneLine(detail)}`;
  return hint === undefined ? [line] : [line, `         hint: ${oneLine(hint)}`];
}

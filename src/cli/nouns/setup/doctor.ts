import { HallError } from "../../../contract/errors.ts";
import type { Problem } from "../../../contract/problem.ts";
import { hasOwnCheck } from "../../../contract/problem-kind.ts";
import type { Status } from "../../../contract/routes/hall-routes.ts";
import type { ModelsReport } from "../../../contract/routes/model-routes.ts";
import type { RouteResponse } from "../../../contract/routes/routes.ts";
import type { HealthCheck } from "../../../contract/routes/settings-routes.ts";
import { advice, type Hint, heardHint, hint, hintText, toldHint } from "../../../contract/words/hint.ts";
import { command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { workspaceWord } from "../../http/connection.ts";
import type { Output } from "../../output.ts";
import { money } from "../../runs/run-text.ts";
import type { Paint, Style } from "../../text/paint.ts";
import { oneLine } from "../../text/plain-text.ts";
import { problemLines } from "../../text/problem-lines.ts";
import { padText, textWidth } from "../../text/text-width.ts";

const UNHEALTHY = 7;
// The daemon gives a model half a minute.
const TEST_SILENCE_MS = 60_000;

export const commands = {
  doctor: command(
    {
      summary: "Check the setup and suggest fixes",
      detail:
        "Works with or without the daemon and lists the available models. Keys are never shown. " +
        "Exits with 0 if all checks pass and 7 if something needs fixing.",
      options: {
        testModel: {
          kind: "maybe",
          value: "MODEL",
          help: "Also test this model, or the default model if none is given",
        },
      },
      examples: ["doctor", "doctor --test-model", "doctor --test-model anthropic/claude-sonnet-4-6"],
    },
    async ({ testModel }, context) => {
      const { output } = context;
      const daemon = await askDaemon(context);
      const { problems, models } = daemon.state === "up" ? daemon : { problems: [], models: undefined };
      const checks: Check[] = [
        daemonCheck(daemon, context),
        ...(daemon.state === "up" ? daemon.checks : await checksAtRest(context)),
        ...(testModel === undefined ? [] : [await tryModel(testModel, daemon, context)]),
      ];
      const healthy = !checks.some(({ state }) => state === "failed");
      const named = checks.map(({ id, ...check }) => ({ name: id, ...check }));
      output.answer({ healthy, checks: named, problems, models }, () =>
        [...checkLines(checks, output), ...listed(problems, output), lastWord(healthy, checks, output.paint)].join(
          "\n",
        ),
      );
      return healthy ? 0 : UNHEALTHY;
    },
  ),
};

/** One of the daemon's checks, or one that only a command can make. `unknown`: it could not be looked at now. */
type Check = Omit<HealthCheck, "state"> & { state: HealthCheck["state"] | "unknown" };

type Shown = Pick<Output, "paint" | "calledAs">;

/** What the doctor heard from the daemon. */
type DaemonReport =
  | { state: "up"; status: Status; checks: HealthCheck[]; problems: Problem[]; models: ModelsReport }
  | { state: "away"; reason: string }
  | { state: "refusing"; reason: string; hint: Hint };

/** A doctor looks at whatever there is, so a daemon that does not answer is a finding and not a failure. */
async function askDaemon({ call }: Context): Promise<DaemonReport> {
  try {
    const status = await call("getStatus", {});
    const [{ checks }, { problems }, models] = await Promise.all([
      call("getDoctor", {}),
      call("listProblems", {}),
      call("listModels", {}),
    ]);
    return { state: "up", status, checks, problems, models };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    if (error.code === "daemon_unreachable" || error.code === "stopping")
      return { state: "away", reason: error.message };
    return { state: "refusing", reason: error.message, hint: error.hint };
  }
}

async function checksAtRest({ host, workspace }: Context): Promise<HealthCheck[]> {
  const { examineAtRest } = await host.loadDaemon();
  return examineAtRest({ workspace, named: workspaceWord(workspace, host.env), env: host.env });
}

function daemonCheck(report: DaemonReport, { workspace, host }: Context): Check {
  const daemon = { id: "daemon", title: "Daemon" };
  switch (report.state) {
    case "up":
      return { ...daemon, state: "ok", detail: `${report.status.version} at ${report.status.url}` };
    case "refusing":
      return { ...daemon, state: "failed", detail: report.reason, ...toldHint(report.hint) };
    case "away": {
      const help = hint("daemon-start-checks", { workspace: workspaceWord(workspace, host.env) });
      return { ...daemon, state: "unknown", detail: report.reason, ...toldHint(help) };
    }
  }
}

/** The only check that may cost money, which is why it has to be asked for. */
async function tryModel(model: string, daemon: DaemonReport, { call, workspace, host }: Context): Promise<Check> {
  const test = { id: "test", title: "Test" };
  if (daemon.state !== "up") {
    const help = hint("daemon-start", { workspace: workspaceWord(workspace, host.env) });
    return { ...test, state: "failed", detail: "testing a model requires the daemon", ...toldHint(help) };
  }
  const body = model === "" ? {} : { model };
  const outcome = await call("testModel", { body, silenceMs: TEST_SILENCE_MS });
  if (outcome.ok) return { ...test, state: "ok", detail: testDetail(outcome) };
  const help = advice("Check the model name, the key and the address. See docs/models.md.");
  return { ...test, state: "failed", detail: testDetail(outcome), ...toldHint(help) };
}

const styles: Record<Check["state"], Style> = { ok: "green", warning: "yellow", failed: "red", unknown: "dim" };

function checkLines(checks: readonly Check[], { paint, calledAs }: Shown): string[] {
  const width = Math.max(...checks.map(({ title }) => textWidth(oneLine(title))));
  return checks.flatMap(({ title, state, detail, ...told }) => {
    const line = `${paint(styles[state], padText(state, 7))}  ${padText(oneLine(title), width)}  ${oneLine(detail)}`;
    const help = heardHint(told);
    return help === undefined ? [line] : [line, `         hint: ${oneLine(hintText(help, calledAs))}`];
  });
}

function listed(problems: readonly Problem[], shown: Shown): string[] {
  const lines = problemLines(
    problems.filter((problem) => !hasOwnCheck(problem)),
    shown,
  );
  return lines.length === 0 ? [] : ["Problems:", ...lines];
}

function lastWord(healthy: boolean, checks: readonly Check[], paint: Paint): string {
  if (!healthy) return paint("red", "Some checks failed.");
  if (checks.some(({ state }) => state === "warning")) return paint("yellow", "All checks passed, with warnings.");
  return checks.some(({ state }) => state === "unknown")
    ? paint("green", "All checks passed. Start the daemon for the remaining ones.")
    : paint("green", "All checks passed.");
}

/** What came of asking a model for one word. */
function testDetail({ ok, model, ms, text, costUsd, error }: RouteResponse<"testModel">): string {
  if (!ok) return `${model} failed after ${ms} ms: ${error ?? "no reason"}`;
  const price = costUsd === undefined || costUsd === null ? "price unknown" : `cost ${priceText(costUsd)}`;
  return `${model} answered in ${ms} ms, ${price}: ${text ?? ""}`;
}

/** A single word costs less than the four digits that are enough elsewhere. */
function priceText(usd: number): string {
  return usd > 0 && usd < 0.0001 ? `$${usd.toFixed(7).replace(/0+$/, "")}` : money(usd);
}

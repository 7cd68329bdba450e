import { HallError } from "../../contract/errors.ts";
import { startCommand } from "../connection.ts";
import type { Action, Context } from "../context.ts";
import { type Check, type DaemonReport, daemonChecks, localChecks } from "../health-checks.ts";
import type { Style } from "../paint.ts";
import { oneLine } from "../plain-text.ts";
import { problemLines } from "../problem-lines.ts";
import { padText } from "../text-width.ts";

const UNHEALTHY = 7;

export const doctor: Action<"doctor"> = async (_, context) => {
  const { host, output, workspace } = context;
  const daemon = await askDaemon(context);
  const { checkConfig } = await host.loadDaemon();
  const start = startCommand(workspace, host.env);
  const checks = [
    ...localChecks({ workspace, checkConfig: () => checkConfig({ workspace }), start }),
    ...daemonChecks(daemon, start),
  ];
  const problems = daemon.state === "up" ? daemon.problems : [];
  const healthy =
    !checks.some(({ state }) => state === "failed") && !problems.some(({ severity }) => severity === "invalid");
  output.answer({ healthy, checks, problems }, () =>
    [
      ...checks.flatMap((check) => checkLines(check, context)),
      ...problemLines(problems, output.paint),
      healthy ? output.paint("green", "All is well.") : output.paint("red", "Something has to be mended."),
    ].join("\n"),
  );
  return healthy ? 0 : UNHEALTHY;
};

/** A doctor looks at whatever there is, so a daemon that does not answer is a finding and not a failure. */
async function askDaemon({ call }: Context): Promise<DaemonReport> {
  try {
    const status = await call("getStatus", {});
    const { problems } = await call("listProblems", {});
    return { state: "up", status, problems };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    if (error.code === "daemon_unreachable") return { state: "away", reason: error.message };
    return { state: "refusing", reason: error.message, hint: error.hint };
  }
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

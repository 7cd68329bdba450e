import type { IntegrationCheck } from "../../../contract/documents/quality/integration-check.ts";
import { HallError } from "../../../contract/errors.ts";
import { branchOf, GATE_EXIT, GATE_VERDICT_WORDS } from "../../../contract/words/gate-words.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import { type Context, requiredProject } from "../../context.ts";
import { runIdOf } from "../../references.ts";
import { project } from "../../shared-options.ts";
import { oneLine } from "../../text/plain-text.ts";
import { count, fieldLines, localTime } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const check = { kind: "one", help: "Check id, such as check-01m7j7e4zc" } as const satisfies ArgumentSpec;
/** Of one request; the next one waits on. */
const WAIT_SECONDS = 20;

export const commands = {
  "integration check": command(
    {
      summary: "Check whether a branch, or the results of several runs, works as a whole",
      detail:
        "Merges the results of runs, oldest first, without touching your checkout. Runs the type checker and looks for conflicts, then runs the whole " +
        "test suite and looks for new files that nothing imports. Exits with 0 (passed), 1 (failed), 2 (not judged) or 64 (wrong usage).",
      args: {
        branch: { kind: "maybe-rest", help: "Branch to check as it is; or pass --run" },
      },
      options: {
        project,
        run: {
          kind: "list",
          value: "RUN",
          help: "Runs to put together (repeatable). Each must have passed its own gate",
        },
        wait: { kind: "off", help: "Return at once" },
      },
      examples: ["integration check feature/cart -p shop", "integration check -p shop --run run-1,run-2 --json"],
    },
    async ({ branch, run = [], wait, project }, context) => {
      const { call, output } = context;
      const id = requiredProject(project, context);
      if ((branch === "") === (run.length === 0)) throw new HallError("usage", "Pass a branch, or runs with --run.");
      const runIds = await Promise.all(run.map((one) => runIdOf(one, context)));
      const query = wait === false ? {} : { wait: WAIT_SECONDS };
      const body = branch === "" ? { runIds } : { branch };
      const made = (await call("createIntegrationCheck", { params: { id }, body, query })).check;
      const over = wait === false ? made : await untilOver(made, context);
      output.answer({ check: over }, () => shown(over, output));
      return over.verdict === undefined ? 0 : GATE_EXIT[over.verdict];
    },
  ),

  "integration show": command(
    { summary: "Show an integration check", args: { check }, examples: ["integration show check-01m7j7e4zc"] },
    async ({ check: id }, { call, output }) => {
      const answer = await call("getIntegrationCheck", { params: { id } });
      output.answer(answer, () => shown(answer.check, output));
      return 0;
    },
  ),

  "integration list": command(
    {
      summary: "List the integration checks of a project, newest first",
      options: { project },
      examples: ["integration list -p shop", "integration list -p shop --json"],
    },
    async ({ project }, context) => {
      const { call, output } = context;
      const answer = await call("listIntegrationChecks", { params: { id: requiredProject(project, context) } });
      output.answer(answer, () =>
        answer.checks.length === 0 ? "No integration checks yet." : textTable(columns, answer.checks, output),
      );
      return 0;
    },
  ),
};

async function untilOver(begun: IntegrationCheck, { call }: Context): Promise<IntegrationCheck> {
  let check = begun;
  while (check.state === "running") {
    const params = { id: check.id };
    check = (await call("getIntegrationCheck", { params, query: { wait: WAIT_SECONDS } })).check;
  }
  return check;
}

const whatOf = ({ branch, runIds }: IntegrationCheck) => branch ?? count(runIds.length, "run");
const verdictOf = ({ verdict }: Pick<IntegrationCheck, "verdict">) =>
  verdict === undefined ? "Running" : GATE_VERDICT_WORDS[verdict];

const columns: Column<IntegrationCheck>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "VERDICT", text: verdictOf },
  { title: "WHAT", text: whatOf, flexible: true },
  { title: "TARGET", text: ({ target }) => branchOf(target) },
  { title: "STARTED", text: ({ startedAt }) => localTime(startedAt) },
];

function shown(check: IntegrationCheck, { paint }: Context["output"]): string {
  const findings = check.steps.flatMap((step) => step.findings);
  return [
    paint("bold", `${verdictOf(check)}: ${oneLine(whatOf(check))}`),
    ...fieldLines(
      [
        ["id", check.id],
        ["reason", check.reason?.text],
        ["target", branchOf(check.target)],
        ["runs", check.runIds.join(", ")],
        ["first broken by", check.firstBroken],
        ["broken by", check.breakers.map(({ runId, commit }) => runId ?? commit.slice(0, 12)).join(", ")],
        ["started", localTime(check.startedAt)],
      ],
      paint,
    ),
    ...(check.steps.length === 0 ? [] : [""]),
    ...check.steps.map(
      (step) =>
        `${paint("dim", step.name.padEnd(10))} ${verdictOf(step)}${step.reason === undefined ? "" : `: ${oneLine(step.reason.text)}`}`,
    ),
    ...(findings.length === 0 ? [] : [""]),
    ...findings.map(({ id, file, line, message, state }) => {
      const place = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`} `;
      const waived = state === "waived" ? " (accepted)" : "";
      return `${paint("yellow", "!")} ${oneLine(`${place}${message}`)}${waived} ${paint("dim", id)}`;
    }),
  ].join("\n");
}

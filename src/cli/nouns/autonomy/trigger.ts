import type { Firing, Skipped, Trigger } from "../../../contract/documents/autonomy/trigger.ts";
import { HallError } from "../../../contract/errors.ts";
import {
  actionWords,
  LATE_POLICIES,
  type LatePolicy,
  OUTCOME_WORDS,
  SKIP_WORDS,
  sourceWords,
  TRIGGER_EVENTS,
  type TriggerEvent,
  WEBHOOK_FORMS,
  type WebhookForm,
} from "../../../contract/words/autonomy/trigger-words.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import { type Context, chosenProject } from "../../context.ts";
import { project } from "../../shared-options.ts";
import { everySign, oneLine } from "../../text/plain-text.ts";
import { fieldLines, proseLines } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const trigger = { kind: "one", help: "Trigger name" } as const satisfies ArgumentSpec;
const text = (value: string, help: string) => ({ kind: "text", value, help }) as const;

export const commands = {
  "trigger list": command(
    {
      summary: "List triggers, with when they fire next",
      options: { project: { ...project, help: "Only those of this project (default: $GUILDHALL_PROJECT or all)" } },
      examples: ["trigger list", "trigger list -p shop --json"],
    },
    async ({ project }, context) => {
      const { call, output } = context;
      const answer = await call("listTriggers", { query: { project: chosenProject(project, context) } });
      output.answer(answer, () =>
        answer.triggers.length === 0
          ? `No triggers. Add one with '${output.calledAs} trigger add NAME', or as a file in 'triggers'.`
          : textTable(columns, answer.triggers, output),
      );
      return 0;
    },
  ),

  "trigger add": command(
    {
      summary: "Start a message, a run or a team when its time comes or something happens",
      detail:
        "Pass one source (--cron, --every, --webhook, --files or --event) and one action (--message, --role with --title, or --goal).",
      args: { trigger },
      options: {
        project: { ...project, help: "Project it belongs to (default: $GUILDHALL_PROJECT or none)" },
        hall: { kind: "flag", help: "For no project; ignores GUILDHALL_PROJECT" },
        cron: text("CRON", "Times, such as '0 7 * * 1-5'"),
        timezone: text("ZONE", "Time zone of --cron, such as Europe/Berlin (default: that of the machine)"),
        every: text("TIME", "Interval, such as 30m"),
        webhook: text("NAME", "Environment variable with the secret of the webhook"),
        form: { ...text("FORM", "How deliveries are signed (default: plain)"), words: WEBHOOK_FORMS },
        files: { kind: "many", value: "PATTERN", help: "Files of the working folder whose change fires it" },
        event: { ...text("EVENT", "Something that happens in Guildhall"), words: TRIGGER_EVENTS },
        message: text("TEXT", "Message to the project's agent, or to the main agent"),
        role: text("ROLE", "Role to start"),
        title: text("TEXT", "Task title of the run"),
        goal: text("TEXT", "Goal of a team"),
        words: text("TEXT", "More words for the agent"),
        late: { ...text("POLICY", "What happens with missed slots (default: once)"), words: LATE_POLICIES },
        within: text("TIME", "How late a missed slot may fire (default: 1d)"),
      },
      examples: [
        "trigger add morning -p shop --cron '0 7 * * 1-5' --timezone Europe/Berlin --message 'Sort the board.'",
        "trigger add issues -p shop --webhook SHOP_SECRET --form github --role triage --title 'New issue'",
      ],
    },
    async ({ trigger: name, hall, project: asked, ...options }, context) => {
      const { call, output } = context;
      const projectId = hall === true ? undefined : chosenProject(asked, context);
      const { late: policy, within } = options;
      const answer = await call("createTrigger", {
        body: {
          name,
          projectId,
          on: sourceOf(options),
          do: actionOf(options),
          late:
            policy === undefined && within === undefined
              ? undefined
              : { policy: policy as LatePolicy | undefined, within },
          words: options.words,
        },
      });
      output.answer(answer, () => `Created: ${name}. ${everySign(answer.trigger.why)}`);
      return 0;
    },
  ),

  "trigger show": command(
    {
      summary: "Show a trigger, when it fires next and why it did not fire",
      args: { trigger },
      examples: ["trigger show morning"],
    },
    async ({ trigger: name }, { call, output }) => {
      const answer = await call("getTrigger", { params: { name } });
      output.answer(answer, () => shown(answer.trigger, output));
      return 0;
    },
  ),

  "trigger run": command(
    { summary: "Fire a trigger now", args: { trigger }, examples: ["trigger run morning"] },
    async ({ trigger: name }, { call, output }) => {
      const answer = await call("runTrigger", { params: { name } });
      output.answer(answer, () => `Fired: ${name} (${answer.firing.id}).`);
      return 0;
    },
  ),

  "trigger pause": switching("pause"),
  "trigger resume": switching("resume"),

  "trigger test": command(
    {
      summary: "Show what a trigger would send to the agent, and start nothing",
      args: { trigger },
      examples: ["trigger test morning"],
    },
    async ({ trigger: name }, { call, output }) => {
      const answer = await call("testTrigger", { params: { name } });
      const problem = answer.problem === undefined ? [] : [`${output.paint("yellow", "!")} ${oneLine(answer.problem)}`];
      output.answer(answer, () => [everySign(answer.starts), "", everySign(answer.prompt), ...problem].join("\n"));
      return 0;
    },
  ),

  "trigger history": command(
    {
      summary: "Show what fired and what was skipped",
      args: { trigger },
      options: { limit: { kind: "number", value: "COUNT", help: "How many of each (default: 20)" } },
      examples: ["trigger history morning"],
    },
    async ({ trigger: name, limit = 20 }, { call, output }) => {
      const answer = await call("getTriggerHistory", { params: { name }, query: { limit } });
      output.answer(answer, () => historyText(answer));
      return 0;
    },
  ),

  "trigger remove": command(
    { summary: "Remove a trigger", args: { trigger }, examples: ["trigger remove morning"] },
    async ({ trigger: name }, { call, output }) => {
      const answer = await call("removeTrigger", { params: { name } });
      output.answer(answer, () => `Removed: ${name}. What it started continues.`);
      return 0;
    },
  ),
};

interface SourceOptions {
  cron?: string | undefined;
  timezone?: string | undefined;
  every?: string | undefined;
  webhook?: string | undefined;
  form?: string | undefined;
  files?: string[] | undefined;
  event?: string | undefined;
}

/** The API refuses none and more than one, and names the field. */
function sourceOf({ cron, timezone, every: interval, webhook, files, ...named }: SourceOptions) {
  // The daemon says which there are.
  const form = named.form as WebhookForm | undefined;
  const event = named.event as TriggerEvent | undefined;
  if (form !== undefined && webhook === undefined)
    throw new HallError("usage", "--form is only for webhooks.", { hint: "Pass --webhook, or leave --form out." });
  const secret =
    webhook === undefined ? {} : { webhook: { secretEnv: webhook, ...(form === undefined ? {} : { form }) } };
  const paths = files === undefined || files.length === 0 ? {} : { files };
  return { cron, timezone, interval, event, ...secret, ...paths };
}

function actionOf(of: {
  message?: string | undefined;
  role?: string | undefined;
  title?: string | undefined;
  goal?: string | undefined;
}) {
  const { message, role: roleId, title, goal } = of;
  if (roleId !== undefined && title === undefined)
    throw new HallError("usage", "Missing title.", { hint: "Pass the title of the task with --title." });
  return {
    message,
    ...(roleId === undefined || title === undefined ? {} : { spawn: { roleId, title } }),
    ...(goal === undefined ? {} : { team: { goal } }),
  };
}

function switching(verb: "pause" | "resume") {
  const summary = verb === "pause" ? "Pause a trigger" : "Resume a trigger; slots that passed meanwhile are skipped";
  return command(
    { summary, args: { trigger }, examples: [`trigger ${verb} morning`] },
    async ({ trigger: name }, context) => {
      const { call, output } = context;
      const answer = await call(verb === "pause" ? "pauseTrigger" : "resumeTrigger", { params: { name } });
      output.answer(
        answer,
        () => `${verb === "pause" ? "Paused" : "Resumed"}: ${name}. ${everySign(answer.trigger.why)}`,
      );
      return 0;
    },
  );
}

const columns: Column<Trigger>[] = [
  { title: "TRIGGER", text: ({ name }) => name },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "-" },
  { title: "STATE", text: ({ state }) => state },
  { title: "WHEN", text: ({ on }) => oneLine(sourceWords(on)) },
  { title: "DOES", text: (one) => oneLine(actionWords(one.do)) },
  { title: "NEXT", text: ({ nextAt }) => nextAt ?? "-" },
  { title: "LAST", text: ({ last }) => (last?.outcome === undefined ? "-" : OUTCOME_WORDS[last.outcome]) },
];

function shown(one: Trigger, output: Context["output"]): string {
  return [
    output.paint("bold", oneLine(one.name)),
    ...fieldLines(
      [
        ["state", one.state],
        ["project", one.projectId],
        ["when", sourceWords(one.on)],
        ["does", actionWords(one.do)],
        ["late", `${one.late.policy}, within ${one.late.within}`],
        ["next", one.nextAt],
        ["why", one.why],
        ["in flight", one.inFlight && firingText(one.inFlight)],
        ["waiting", one.waiting === 0 ? undefined : String(one.waiting)],
        ["last", one.last && firingText(one.last)],
        ["webhook", one.path],
        ["problem", one.problem],
        ["file", one.file],
      ],
      output.paint,
    ),
    ...(one.words === "" ? [] : proseLines("words", everySign(one.words), output)),
  ].join("\n");
}

function firingText({ at, slot, cause, outcome, state, started, text: said }: Firing): string {
  const came = outcome === undefined ? state : OUTCOME_WORDS[outcome];
  const what = started === undefined ? "" : ` ${started.kind} ${started.id}`;
  return oneLine(`${slot ?? at}  ${came}  ${cause}${what}${said === undefined ? "" : `  ${said}`}`);
}

function skippedText({ at, from, count, reason, cause }: Skipped): string {
  const what = count === 1 ? (cause ?? from ?? at) : `${count} slots from ${from ?? at}`;
  return oneLine(`${what}  ${SKIP_WORDS[reason]}`);
}

function historyText({ firings, skipped }: { firings: Firing[]; skipped: Skipped[] }): string {
  const fired = firings.length === 0 ? ["It has not fired."] : firings.map(firingText);
  return [...fired, ...(skipped.length === 0 ? [] : ["", "Skipped:", ...skipped.map(skippedText)])].join("\n");
}

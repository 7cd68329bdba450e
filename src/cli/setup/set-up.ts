import { HallError } from "../../contract/errors.ts";
import type { FirstLook } from "../../contract/first-look.ts";
import type { BegunProject } from "../../contract/routes/welcome-routes.ts";
import type { Context } from "../context.ts";
import { commandFor, isAlive, readDaemonNote } from "../http/connection.ts";
import { oneLine } from "../text/plain-text.ts";
import { wrapLabelled } from "../text/text-wrap.ts";
import { Keyboard } from "./keyboard.ts";
import { keysOf, testText } from "./keys.ts";
import type { Question } from "./setup-steps.ts";
import { answerQuestion, beginSetup, nextQuestion, type Setup, type SetupPlan, skipRest } from "./setup-steps.ts";

const LABEL = 11;
const KEYS =
  "Press Enter for the default, s to skip the rest, Esc to cancel. Nothing is created before the last answer.";
const OFFLINE_TEXT =
  "No API key or local model found. Without one, the built-in offline model only simulates runs, at no cost.";

const LEFT = 130;
const PROMPT = "> ";

/** Asks a person at a terminal what is missing, then makes it. Answers the exit code. */
export async function setUp(context: Context): Promise<number> {
  const { host, workspace } = context;
  const { lookFirst } = await host.loadDaemon();
  const found = await lookFirst({ workspace, folder: process.cwd(), env: host.env });
  const plan = await askFor(found, context);
  if (plan === undefined) {
    print(context, found.isNew ? "Canceled. Nothing was created." : "Canceled. Nothing was changed.");
    return LEFT;
  }
  // What was agreed to takes a moment and is made whole.
  host.onInterrupt(() => undefined);
  await carryOut(plan, found, context).finally(() => host.onInterrupt(undefined));
  return 0;
}

/** Undefined: the person left. */
async function askFor(found: FirstLook, context: Context): Promise<SetupPlan | undefined> {
  let setup: Setup = beginSetup(found);
  print(context, greeting(found, setup.left.length > 0));
  const keyboard = setup.left.length === 0 ? undefined : await Keyboard.open(context.host);
  try {
    for (let question = nextQuestion(setup); question !== undefined; question = nextQuestion(setup)) {
      print(context, `\n${questionText(question)}`);
      const typed = await keyboard?.line(PROMPT, { isHidden: question.isHidden === true });
      if (typed === undefined) return undefined;
      const next = typed.trim() === "s" ? skipRest(setup) : answerQuestion(setup, typed);
      if ("problem" in next) print(context, oneLine(next.problem));
      else setup = next;
    }
  } finally {
    keyboard?.close();
  }
  return setup.plan;
}

async function carryOut({ key, model, dayUsd, project }: SetupPlan, found: FirstLook, context: Context): Promise<void> {
  const { host, workspace } = context;
  const { initWorkspace } = await host.loadDaemon();
  const isUp = hasDaemon(workspace);
  const { created, path } = await initWorkspace({ workspace, settings: { defaultModel: model, dayUsd } });
  const where = oneLine(path);
  const written = [
    ...(model === undefined ? [] : [`default model ${model}`]),
    ...(dayUsd === undefined ? [] : [`daily budget ${dollars(dayUsd)}`]),
  ];
  print(
    context,
    [
      "",
      created ? `Created workspace ${where}` : `Using workspace ${where}`,
      ...(written.length === 0 ? [] : [`Saved to config.yml: ${written.join(", ")}`]),
      ...keyAdvice(model, found, host.calledAs),
    ].join("\n"),
  );
  if (key !== undefined) print(context, await saveKey(key, context));
  const begun = project === undefined ? undefined : await begin(project, isUp, context);
  if (begun !== undefined) print(context, projectText(begun));
  print(context, nextSteps({ begun, isUp, isUnused: found.projects === 0 }, context));
}

/** A key that cannot be saved does not undo the rest of the setup. */
async function saveKey({ provider, value }: NonNullable<SetupPlan["key"]>, context: Context): Promise<string> {
  try {
    const { test, defaultModel } = await keysOf(context, (keys) => keys.set(provider, { key: value }));
    return `${testText(provider, test)}\nSaved the key. Default model: ${oneLine(defaultModel)}`;
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    const again = commandFor(`key set ${provider}`, context.workspace, context.host);
    return `${oneLine(error.message)}\nTry again with: ${again}`;
  }
}

function begin(body: NonNullable<SetupPlan["project"]>, isUp: boolean, context: Context): Promise<BegunProject> {
  const { call, host, workspace } = context;
  if (isUp) return call("beginProject", { body });
  return host.loadDaemon().then(({ beginAtRest }) => beginAtRest({ workspace, body }));
}

function keyAdvice(model: string | undefined, { providers }: FirstLook, calledAs: string): string[] {
  const provider = model?.split("/")[0];
  const isAtHand = providers.some(({ name, key, source }) => name === provider && (key || source !== "environment"));
  if (provider === undefined || provider === "offline" || isAtHand) return [];
  return [`No key for ${provider} found. Add one with: ${calledAs} key set ${provider}`];
}

function projectText({ projectId, name, workdir, roles }: BegunProject): string {
  const team = roles.length === 0 ? "none yet" : roles.join(", ");
  return [`Created project ${projectId}: ${oneLine(name)}`, `  folder  ${oneLine(workdir)}`, `  team    ${team}`].join(
    "\n",
  );
}

interface Made {
  begun: BegunProject | undefined;
  isUp: boolean;
  /** Nobody has made a project in it. */
  isUnused: boolean;
}

function nextSteps({ begun, isUp, isUnused }: Made, { workspace, host }: Context): string {
  const command = (words: string) => `  ${commandFor(words, workspace, host)}`;
  const role = begun?.roles[0];
  return [
    "",
    "Next:",
    ...(isUp ? [] : [command("up")]),
    ...(begun === undefined || role === undefined
      ? []
      : [command(`spawn ${role} -p ${begun.projectId} 'Your first task'`)]),
    ...(begun === undefined && isUnused
      ? [`  cd YOUR_CODE_FOLDER && ${command("init").trim()}  # create a first project`]
      : []),
    ...(begun === undefined ? [`  ${host.calledAs} demo`] : []),
  ].join("\n");
}

function hasDaemon(workspace: string): boolean {
  const note = readDaemonNote(workspace);
  return note !== undefined && isAlive(note.pid);
}

function print({ host, output }: Context, text: string): void {
  host.out.write(`${wrapLabelled(text, output.width)}\n`);
}

/** What is there, before anything is asked. */
function greeting(found: FirstLook, hasQuestions: boolean): string {
  const { workspace, isNew } = found;
  const where = isNew ? "new; use --workspace DIR for another" : "existing";
  return [
    `Guildhall setup.${hasQuestions ? ` ${KEYS}` : ""}`,
    "",
    label("workspace", `${oneLine(workspace)} (${where})`),
    ...(isNew ? [] : [label("projects", String(found.projects)), label("budget", `${dollars(found.dayUsd)} per day`)]),
    ...keyLines(found),
    ...(found.clis.length === 0 ? [] : [label("agents", found.clis.map(({ name }) => name).join(", "))]),
    label("model", oneLine(found.defaultModel)),
    ...(found.isOffline ? ["", OFFLINE_TEXT] : []),
  ].join("\n");
}

function questionText({ step, text, choices, offer, how }: Question): string {
  const listed = choices.map((choice, at) => `  ${at + 1}  ${oneLine(choice)}`);
  return [
    oneLine(text),
    ...listed,
    `Press Enter ${step === "key" ? "to skip" : `for ${oneLine(offer)}`}, or type ${how}.`,
  ].join("\n");
}

function keyLines({ providers }: FirstLook): string[] {
  const keys = providers
    .filter(({ key }) => key)
    .map(({ name, keyNames = [] }) => `${name} (${keyNames.join(" or ")})`);
  const local = providers.filter(({ source }) => source === "local").map(({ name }) => name);
  return [
    ...(keys.length === 0 ? [] : [label("keys", oneLine(keys.join(", ")))]),
    ...(local.length === 0 ? [] : [label("local", oneLine(local.join(", ")))]),
  ];
}

function dollars(usd: number | null): string {
  return usd === null ? "no limit" : `$${usd}`;
}

function label(name: string, text: string): string {
  return `${name.padEnd(LABEL)}${text}`;
}

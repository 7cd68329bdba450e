import type { Hook, HookDetail } from "../../contract/documents/hook.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { agrees, canConfirm } from "../confirming.ts";
import type { Context } from "../context.ts";
import { textOrInput } from "../input.ts";
import { yes } from "../shared-options.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { fieldLines, proseLines } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const hook = { kind: "one", help: "Hook name" } as const satisfies ArgumentSpec;

export const commands = {
  "hook list": command(
    { summary: "List hooks, with what they did in the last 30 days", examples: ["hook list", "hook list --json"] },
    async (_, { call, output }) => {
      const answer = await call("listHooks", {});
      output.answer(answer, () => {
        if (answer.hooks.length === 0) return "No hooks. Add one to 'hooks' in config.yml, or as a file in 'hooks'.";
        const problems = answer.hooks.flatMap(({ name, problem }) =>
          problem === undefined ? [] : [`${output.paint("yellow", "!")} ${name}: ${oneLine(problem)}`],
        );
        return [textTable(columns, answer.hooks, output), ...problems].join("\n");
      });
      return 0;
    },
  ),

  "hook show": command(
    { summary: "Show a hook and the last times it ran", args: { hook }, examples: ["hook show no-push"] },
    async ({ hook: name }, { call, output }) => {
      const answer = await call("getHook", { params: { name } });
      output.answer(answer, () => shown(answer, output));
      return 0;
    },
  ),

  "hook test": command(
    {
      summary: "Run a hook once and show what it says",
      detail: "Without --input it runs on its sample, or on an example for its event. Nothing else happens.",
      args: { hook },
      options: {
        input: { kind: "text", value: "JSON", help: 'What the hook gets, such as \'{"tool_name": "exec"}\'' },
      },
      examples: [
        "hook test no-push",
        'hook test no-push --input \'{"tool_name": "exec", "tool_input": {"command": "git push"}}\'',
      ],
    },
    async ({ hook: name, input: typed }, { call, output, host }) => {
      const input = await textOrInput(typed, host.input);
      const answer = await call("testHook", {
        params: { name },
        body: { input: input === undefined ? input : parsed(input) },
      });
      const said = answer.text === "" ? "." : `: ${everySign(answer.text)}`;
      output.answer(answer, () => `${OUTCOMES[answer.outcome]} after ${answer.ms} ms${said}`);
      return answer.outcome === "failed" ? 1 : 0;
    },
  ),

  "hook enable": switching("enable", true),
  "hook disable": switching("disable", false),

  "hook accept": command(
    {
      summary: "Accept the current content of a repository's hook",
      detail:
        "Hooks in a repository's .claude/settings.json are not run until you accept them, or after a change. " +
        "On a terminal without --hash, shows the content and asks for confirmation.",
      args: { hook },
      options: {
        hash: { kind: "text", value: "HASH", help: "Accept only if the content has this hash (see 'hook show')" },
        yes: { ...yes, help: "Accept the current content without showing it" },
      },
      examples: ["hook accept shop:PreToolUse-1", "hook accept shop:PreToolUse-1 --hash 3f2a…"],
    },
    async ({ hook: name, hash, yes: isSure }, context) => {
      const { call, output } = context;
      const seen = hash ?? (await confirmedHash(name, context, isSure === true));
      if (seen === undefined) {
        output.note("No changes made.");
        return 0;
      }
      const answer = await call("acceptHook", { params: { name }, body: { hash: seen } });
      output.answer(answer, () => `Accepted: ${name}. It runs from now on.`);
      return 0;
    },
  ),
};

/** The hash of the content that the person saw, or takes unseen. Undefined: the person declined. */
async function confirmedHash(name: string, context: Context, isSure: boolean): Promise<string | undefined> {
  const { call, host, output } = context;
  const answer = await call("getHook", { params: { name } });
  const { hash, accepted } = answer.hook;
  if (hash === undefined)
    throw new HallError("invalid", `'${name}' needs no acceptance: only hooks of repositories do.`, {
      hint: hint("hook-list"),
    });
  if (isSure || accepted === true) return hash;
  if (!canConfirm(context))
    throw new HallError("usage", "--hash or --yes is required.", { hint: hint("hook-show", { text: name }) });
  output.row(answer, () => shown(answer, output));
  return agrees(await host.input.ask("Accept this content? It runs from now on. [y/N] ")) ? hash : undefined;
}

const SOURCES: Record<Hook["source"], string> = {
  builtin: "built-in",
  config: "config.yml",
  file: "hooks/",
  repository: "repository",
};
const OUTCOMES = { allowed: "Allowed", refused: "Refused", failed: "Failed" } as const;

function switching(verb: "enable" | "disable", enabled: boolean) {
  const summary = enabled ? "Enable a hook" : "Disable a hook";
  return command({ summary, args: { hook }, examples: [`hook ${verb} no-push`] }, async ({ hook: name }, context) => {
    const { call, output } = context;
    const answer = await call("updateHook", { params: { name }, body: { enabled } });
    output.answer(answer, () => `${enabled ? "Enabled" : "Disabled"}: ${name}.`);
    return 0;
  });
}

function parsed(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new HallError("usage", "--input is not a JSON object.");
}

function stateText({ enabled, accepted }: Hook): string {
  if (accepted === false) return "not accepted";
  return enabled ? "on" : "off";
}

function actionText({ command, url, description }: Hook): string {
  return oneLine(command?.join(" ") ?? url ?? description ?? "");
}

function shown({ hook, content, recent }: HookDetail, output: Context["output"]): string {
  const { allowed, refused, failed } = hook.last30Days;
  return [
    output.paint("bold", oneLine(hook.name)),
    ...fieldLines(
      [
        ["event", hook.event],
        ["state", stateText(hook)],
        ["source", SOURCES[hook.source]],
        ["description", hook.description],
        ["runs", hook.command?.join(" ") ?? hook.url],
        ["tools", hook.matcher],
        ["time limit", `${hook.timeoutSeconds} s`],
        ["on error", hook.onError],
        ["problem", hook.problem],
        ["hash", hook.hash],
        ["last 30 days", `${allowed} allowed, ${refused} refused, ${failed} failed`],
      ],
      output.paint,
    ),
    ...(content ?? []).flatMap(({ path, text }) => proseLines(path, everySign(text), output)),
    ...recent.map(
      ({ at, outcome, ms, text }) => `${at}  ${outcome}  ${ms} ms${text === undefined ? "" : `  ${oneLine(text)}`}`,
    ),
  ].join("\n");
}

const columns: Column<Hook>[] = [
  { title: "HOOK", text: ({ name }) => name, style: () => "bold" },
  { title: "EVENT", text: ({ event }) => event },
  { title: "STATE", text: stateText, style: (hook) => (stateText(hook) === "on" ? undefined : "yellow") },
  { title: "FROM", text: ({ source }) => SOURCES[source], spare: 1 },
  { title: "REFUSED", text: ({ last30Days }) => String(last30Days.refused) },
  { title: "FAILED", text: ({ last30Days }) => String(last30Days.failed) },
  { title: "ALLOWED", text: ({ last30Days }) => String(last30Days.allowed), spare: 2 },
  { title: "COMMAND OR CHECK", text: actionText, flexible: true },
];

import { HallError } from "../../../contract/errors.ts";
import type { KeyAnswer, KeyUpdate, ModelsReport, ProviderTest } from "../../../contract/routes/model-routes.ts";
import { cleanKey, KNOWN_PROVIDERS, providerOfKey, withScheme } from "../../../contract/words/provider-names.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import type { Context } from "../../context.ts";
import { askForKey, keysOf, testText, usableStates } from "../../setup/keys.ts";
import { oneLine } from "../../text/plain-text.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const REJECTED = 5;
const UNTESTED = 4;
const KINDS = ["anthropic", "openai", "google", "openai-compatible"] as const;

const name = {
  kind: "one",
  help: "Provider name; its models are NAME/MODEL",
  words: [...KNOWN_PROVIDERS.map((provider) => provider.name), "ollama"],
} as const satisfies ArgumentSpec;

export const commands = {
  "key set": command(
    {
      summary: "Add or replace a provider's API key",
      detail:
        "Prompts for the key without showing it, or reads it with --stdin; it is never an argument. Tests the key with the provider, then " +
        "saves it to .guildhall/secrets in the workspace, readable only by you. A running daemon uses it immediately; otherwise it takes effect " +
        "at the next start. Without NAME, the provider is detected from the key. A compatible server needs --base-url; if it needs no key, press Enter.",
      args: { name: { ...name, kind: "maybe-rest" } },
      options: {
        kind: {
          kind: "text",
          value: "KIND",
          help: "Provider kind: anthropic, openai, google or openai-compatible",
          words: KINDS,
        },
        baseUrl: { kind: "text", value: "URL", help: "URL of a compatible server, with or without /v1" },
        model: { kind: "text", value: "MODEL", help: "Model to test and set as default, without NAME/" },
        default: { kind: "toggle", help: "Make its model the default" },
        stdin: { kind: "flag", help: "Read the key from standard input" },
        untested: { kind: "flag", help: "Save the key even if it can't be tested" },
      },
      examples: [
        "key set anthropic",
        { before: "cat key.txt | ", words: "key set anthropic --stdin" },
        "key set lab --base-url http://127.0.0.1:8000 --model qwen3",
      ],
    },
    async ({ name: given, kind, baseUrl, model, default: makeDefault, stdin, untested }, context) => {
      const key = stdin === true ? await pipedKey(context) : await askForKey(given, context);
      const provider = given === "" ? recognized(key) : given;
      const body: KeyUpdate = {
        ...(key === "" ? {} : { key }),
        ...(kind === undefined ? {} : { kind: kind as KeyUpdate["kind"] & string }),
        ...(baseUrl === undefined ? {} : { baseUrl: withScheme(baseUrl) }),
        ...(model === undefined ? {} : { model: withoutName(model, provider) }),
        ...(makeDefault === undefined ? {} : { makeDefault }),
        ...(untested === true ? { untested } : {}),
      };
      const { answer, isUp } = await save(provider, body, context);
      context.output.answer({ success: true, ...answer }, () => savedText(answer, isUp));
      return 0;
    },
  ),

  "key list": command(
    {
      summary: "List providers and the source of their keys",
      detail: "Keys are never shown.",
      examples: ["key list", "key list --json"],
    },
    async (_, context) => {
      const report = await keysOf(context, (keys) => keys.report());
      const { providers, default: defaultModel } = report;
      context.output.answer({ providers, default: defaultModel }, () => {
        if (providers.length === 0)
          return `No provider has a key. Add one with '${context.output.calledAs} key set NAME'.`;
        return `${textTable(columns, providers, context.output)}\nDefault model: ${oneLine(defaultModel)}`;
      });
      return 0;
    },
  ),

  "key test": command(
    {
      summary: "Test a provider's key",
      detail:
        "Lists the models and sends one short request. Exits with 0 if a model answered, 5 if the key was rejected, and 4 otherwise.",
      args: { name },
      options: { model: { kind: "text", value: "MODEL", help: "Model to test, without NAME/" } },
      examples: ["key test anthropic", "key test lab --model qwen3"],
    },
    async ({ name: provider, model }, context) => {
      const asked = model === undefined ? undefined : withoutName(model, provider);
      const test = await keysOf(context, (keys) => keys.test(provider, asked));
      context.output.answer({ provider, test }, () => testText(provider, test));
      return exitOf(test);
    },
  ),

  "key remove": command(
    {
      summary: "Remove a provider's stored key",
      detail: "A key from the environment is not removed; unset the variable instead.",
      args: { name },
      examples: ["key remove anthropic"],
    },
    async ({ name: provider }, context) => {
      const answer = await keysOf(context, (keys) => keys.remove(provider));
      context.output.answer(
        { success: true, ...answer },
        () => `Removed the key for ${oneLine(provider)}. Default model: ${oneLine(answer.defaultModel)}`,
      );
      return 0;
    },
  ),
};

async function pipedKey({ host }: Context): Promise<string> {
  return (await host.input.read()).toString("utf8");
}

function recognized(key: string): string {
  const provider = providerOfKey(cleanKey(key));
  if (provider !== undefined) return provider.name;
  throw new HallError("usage", "Can't detect the provider from this key.", {
    hint: "Pass the provider: key set NAME.",
  });
}

/** `lab/qwen3` and `qwen3` mean the same. */
function withoutName(model: string, provider: string): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

type Saved = { answer: Omit<KeyAnswer, "success">; isUp: boolean };

/** A key that could not be tested is saved when the person says so. */
async function save(provider: string, body: KeyUpdate, context: Context): Promise<Saved> {
  const { host, output } = context;
  const send = (sent: KeyUpdate) =>
    keysOf(context, async (keys): Promise<Saved> => ({ answer: await keys.set(provider, sent), isUp: keys.isUp }));
  try {
    return await send(body);
  } catch (error) {
    const mayAsk = host.input.canAsk && !output.json && body.untested !== true;
    if (!(error instanceof HallError) || error.code !== "key_untested") throw error;
    if (!mayAsk)
      throw new HallError("key_untested", error.message, { hint: "Try again, or save it anyway with --untested." });
    output.note(oneLine(error.message));
    const said = await host.input.ask("Save it anyway? [y/N] ");
    if (!/^y(?:es)?$/i.test(said.trim())) throw error;
    return send({ ...body, untested: true });
  }
}

function savedText({ provider, test, defaultModel, offline }: Omit<KeyAnswer, "success">, isUp: boolean): string {
  return [
    testText(provider, test),
    `Saved. Default model: ${oneLine(defaultModel)}`,
    ...(offline ? ["Guildhall is set to offline (GUILDHALL_OFFLINE or models.offline), so no provider is used."] : []),
    ...(isUp ? [] : ["The daemon is not running; the key is used when it starts."]),
  ].join("\n");
}

function exitOf({ state }: ProviderTest): number {
  if (state === "rejected") return REJECTED;
  return usableStates.has(state) ? 0 : UNTESTED;
}

type Provider = ModelsReport["providers"][number];

const columns: Column<Provider>[] = [
  { title: "NAME", text: ({ name: provider }) => provider, style: () => "bold" },
  { title: "KEY", text: keyText },
  { title: "KIND", text: ({ kind }) => kind, spare: 1 },
  { title: "ADDRESS", text: ({ baseUrl = "" }) => baseUrl, spare: 2 },
];

function keyText({ keySource, keyNames = [] }: Provider): string {
  switch (keySource) {
    case "stored":
      return "stored";
    case "environment":
      return `environment (${keyNames.join(" or ")})`;
    case "missing":
      return "missing";
    case "not_needed":
      return "not needed";
  }
}

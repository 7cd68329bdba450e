import { HallError } from "../../contract/errors.ts";
import type { ProviderTest, ProviderTestState } from "../../contract/routes/model-routes.ts";
import { knownProvider } from "../../contract/words/provider-names.ts";
import type { Context } from "../context.ts";
import type { KeysAtRest } from "../host.ts";
import { isAlive, readDaemonNote } from "../http/connection.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import { Keyboard } from "./keyboard.ts";

/** A list and an answer may each take their time. */
const TEST_SILENCE_MS = 60_000;
const LEFT = "Nothing was saved.";

/** Over the daemon where one runs, else over the workspace itself. */
export async function keysOf<Result>(
  context: Context,
  work: (keys: KeysAtRest & { isUp: boolean }) => Promise<Result>,
): Promise<Result> {
  const { call, host, workspace } = context;
  const note = readDaemonNote(workspace);
  if (note === undefined || !isAlive(note.pid)) {
    const { keysAtRest } = await host.loadDaemon();
    return keysAtRest({ workspace, env: host.env }, (keys) => work({ ...keys, isUp: false }));
  }
  const silenceMs = TEST_SILENCE_MS;
  return work({
    isUp: true,
    set: (name, body) => call("setProviderKey", { params: { name }, body, silenceMs }),
    remove: (name) => call("removeProviderKey", { params: { name } }),
    test: async (name, model) => (await call("testProvider", { params: { name }, body: { model }, silenceMs })).test,
    report: () => call("listModels", {}),
  });
}

/** What a person types is not shown. */
export async function askForKey(name: string, { host, output }: Context): Promise<string> {
  if (!host.input.canAsk || output.json)
    throw new HallError("usage", "Can't prompt for the key without a terminal.", {
      hint: "Pipe the key in with --stdin.",
    });
  const keyboard = await Keyboard.open({ ...host, out: host.err });
  try {
    const title = name === "" ? "" : ` for ${oneLine(knownProvider(name)?.title ?? name)}`;
    const typed = await keyboard.line(`Paste the API key${title} (hidden): `, { isHidden: true });
    if (typed === undefined) throw new HallError("usage", LEFT, { hint: "Run the command again to set a key." });
    return typed;
  } finally {
    keyboard.close();
  }
}

/** With these the provider accepts the key. */
export const usableStates: ReadonlySet<ProviderTestState> = new Set(["works", "no_credit", "busy", "over_budget"]);

export function testText(name: string, { state, model = "", ms = 0, models, detail = "" }: ProviderTest): string {
  const listed = models.length === 0 ? "" : ` ${count(models.length, "model")} available.`;
  const told = detail === "" ? "" : ` ${oneLine(detail)}`;
  const asked = oneLine(`${name}/${model}`);
  const words: Record<ProviderTestState, string> = {
    works: `The key works: ${asked} answered in ${Math.round(ms)} ms.`,
    rejected: `The provider rejected the key.${told}`,
    no_credit: `The provider accepts the key, but the account has no credit left.${told}`,
    busy: `The provider accepts the key but is currently overloaded.${told}`,
    over_budget: `The provider accepts the key. No model was tested: the budget is used up.${told}`,
    model_missing: `The provider accepts the key, but does not offer ${asked}.${told}`,
    no_model: "The server does not list its models. Pass one with --model.",
    refused: `The provider refused the test request.${told}`,
    unreachable: `Can't reach the provider.${told}`,
  };
  return `${words[state]}${listed}`;
}

import { isDeepStrictEqual } from "node:util";
import type { Config, ProviderConfig } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { KeyAnswer, KeyUpdate, ProviderModels, ProviderTest } from "../../contract/routes/model-routes.ts";
import type { KeyRing } from "../../store/secrets/key-ring.ts";
import type { OwnSecrets } from "../../store/secrets/own-secrets.ts";
import type { Change } from "../../workspace/change.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { Models } from "../open-models.ts";
import { OFFLINE_MODEL, type Provider, wellKnown } from "../providers.ts";
import { createTransport, realAlarm } from "../wires/transport.ts";
import { type KeyPlan, type Known, planKey } from "./key-plan.ts";
import { checkProvider, stateOf } from "./provider-check.ts";
import { listModels } from "./provider-models.ts";

const SILENCE_MS = 10_000;
const LIST_MS = 10_000;
const FRESH_MS = 5 * 60_000;

interface Parts {
  settings: LiveSettings;
  ring: KeyRing;
  own: OwnSecrets;
  models: Models;
  now: () => number;
}

/** Keys of providers: set, tested, listed and removed while the daemon runs. */
export class KeyDesk {
  readonly #parts: Parts;
  readonly #get = createTransport({ silenceMs: SILENCE_MS, setAlarm: realAlarm });
  readonly #listed = new Map<string, { provider: Provider; models: string[]; at: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async set(name: string, body: KeyUpdate, change: Change): Promise<Omit<KeyAnswer, "success">> {
    assertActorMay(change.actor, "manageKeys");
    const { own, models } = this.#parts;
    const plan = planKey(name, body, this.known());
    // Before it is used anywhere: what a server repeats must not be shown.
    if (plan.key !== undefined) own.add([{ name: plan.key.variable, value: plan.key.value }]);
    const test = await this.#check(plan.provider, body.model);
    assertWorthSaving(name, test, body);
    const model = modelToUse(name, { test, body, current: models.defaultModel(), isUsable: this.#isUsable() });
    await this.#save(name, { plan, model, change });
    models.pauses.reset(name);
    return { provider: name, test, defaultModel: models.defaultModel(), offline: models.isPlayed(`${name}/x`) };
  }

  async remove(name: string, change: Change): Promise<{ provider: string; defaultModel: string }> {
    assertActorMay(change.actor, "manageKeys");
    const { settings, ring, models } = this.#parts;
    const provider = this.#find(name);
    const { keyName } = provider;
    if (keyName !== undefined && ring.isInEnvironment(keyName))
      throw new HallError(
        "key_in_environment",
        `The key of '${name}' comes from the environment variable ${keyName}.`,
        {
          hint: `Remove ${keyName} from the environment the daemon is started with, then restart it.`,
        },
      );
    const { providers } = settings.written();
    if (keyName === undefined && !Object.hasOwn(providers, name))
      throw new HallError("provider_not_found", `The provider '${name}' has no stored key.`);
    const config = settings.written();
    const entry = config.providers[name];
    await settings.edit({
      edit: { set: {}, reset: resetsFor(name, entry, config) },
      change: { ...change, ifMatch: undefined },
      event: () => ({ type: "provider.removed", subject: { kind: "provider", id: name } }),
    });
    const isShared = Object.entries(config.providers).some(
      ([other, { apiKeyEnv }]) => other !== name && apiKeyEnv === keyName,
    );
    if (keyName !== undefined && !isShared) await ring.remove(keyName);
    models.pauses.reset(name);
    return { provider: name, defaultModel: models.defaultModel() };
  }

  async test(name: string, model: string | undefined): Promise<ProviderTest> {
    return this.#check(this.#find(name), model);
  }

  /** Named as `provider/model`. */
  async list(name: string): Promise<ProviderModels> {
    const provider = this.#parts.models.providers().find((each) => each.name === name);
    // Pages ask while a provider is being removed.
    if (provider === undefined) return { provider: name, models: [], problem: "no_model" };
    const now = this.#parts.now();
    const known = this.#listed.get(name);
    if (known !== undefined && now - known.at < FRESH_MS && isDeepStrictEqual(known.provider, provider))
      return { provider: name, models: known.models };
    const listing = await listModels(provider, {
      get: this.#get,
      now: this.#parts.now,
      signal: AbortSignal.timeout(LIST_MS),
    });
    if (listing.state === "failed") return { provider: name, models: [], problem: stateOf(listing.failure) };
    const listed = listing.state === "listed" ? listing.models : [];
    const models = listed.sort((left, right) => right.created - left.created).map(({ id }) => `${name}/${id}`);
    this.#listed.set(name, { provider, models, at: now });
    return { provider: name, models };
  }

  /** As of now. */
  known(): Known {
    const { settings, ring } = this.#parts;
    ring.look();
    return {
      config: settings.look(),
      keys: ring.keys,
      isInEnvironment: (variable: string) => ring.isInEnvironment(variable),
    };
  }

  #find(name: string): Provider {
    const provider = this.#parts.models.providers().find((each) => each.name === name);
    if (provider === undefined) throw new HallError("provider_not_found", `There is no provider '${name}'.`);
    return provider;
  }

  #isUsable() {
    return (model: string) => this.#parts.models.whyNot(model) === undefined;
  }

  async #check(provider: Provider, model: string | undefined): Promise<ProviderTest> {
    const { models, now, own } = this.#parts;
    const test = await checkProvider(provider, model, { get: this.#get, now, ask: models.askOnce });
    return test.detail === undefined ? test : { ...test, detail: own.redactor().text(test.detail) };
  }

  /** The key first: settings that name a key which is not there would be of no use. */
  async #save(
    name: string,
    { plan, model, change }: { plan: KeyPlan; model: string | undefined; change: Change },
  ): Promise<void> {
    const { settings, ring } = this.#parts;
    const { key, entry, provider } = plan;
    const before = key === undefined ? undefined : ring.keys[key.variable];
    if (key !== undefined) await ring.store(key.variable, key.value);
    const set = {
      ...Object.fromEntries(Object.entries(entry ?? {}).map(([field, value]) => [`providers.${name}.${field}`, value])),
      ...(model === undefined ? {} : { "models.default": model }),
    };
    const after = { kind: provider.kind, ...(provider.baseUrl === undefined ? {} : { baseUrl: provider.baseUrl }) };
    try {
      await settings.edit({
        edit: { set, reset: [] },
        change: { ...change, ifMatch: undefined },
        event: () => ({
          type: "provider.changed",
          subject: { kind: "provider", id: name },
          after: {
            ...after,
            ...(key === undefined ? {} : { key: "replaced" }),
            ...(model === undefined ? {} : { model }),
          },
        }),
      });
    } catch (error) {
      if (key !== undefined)
        await (before === undefined ? ring.remove(key.variable) : ring.store(key.variable, before));
      throw error;
    }
  }
}

function assertWorthSaving(
  name: string,
  { state, detail = "", model }: ProviderTest,
  { untested, model: asked }: KeyUpdate,
): void {
  const told = detail === "" ? "" : ` ${detail}`;
  switch (state) {
    case "works":
    case "no_credit":
    case "busy":
    case "over_budget":
      return;
    case "rejected":
      throw new HallError("key_rejected", `The provider '${name}' rejected the key. Nothing was saved.${told}`);
    case "model_missing":
      if (asked === undefined) return;
      throw new HallError(
        "invalid",
        `The provider '${name}' does not offer the model '${model}'. Nothing was saved.${told}`,
      );
    case "no_model":
    case "refused":
    case "unreachable":
      if (untested === true) return;
      throw new HallError("key_untested", `The key of '${name}' could not be tested. Nothing was saved.${told}`);
  }
}

interface Choice {
  test: ProviderTest;
  body: KeyUpdate;
  current: string;
  isUsable: (model: string) => boolean;
}

/** The model to make the default; undefined: the default stays. */
function modelToUse(name: string, { test, body, current, isUsable }: Choice): string | undefined {
  const model = body.model ?? (test.state === "model_missing" ? test.models[0] : test.model);
  if (model === undefined) return undefined;
  const isWanted = body.makeDefault ?? (body.model !== undefined || current === OFFLINE_MODEL || !isUsable(current));
  return isWanted ? `${name}/${model}` : undefined;
}

const PLAIN_FIELDS = new Set(["kind", "baseUrl", "apiKeyEnv"]);

/** What of config.yml goes with the key: the default model, and an entry that nothing else needs. */
function resetsFor(name: string, entry: ProviderConfig | undefined, { models, main, agentTeams }: Config): string[] {
  const isOurs = (model: unknown) => typeof model === "string" && model.startsWith(`${name}/`);
  const resets = isOurs(models.default) ? ["models.default"] : [];
  if (entry === undefined) return resets;
  const isNeeded = isOurs(main.model) || Object.values(agentTeams).some(isOurs);
  const isPlain = Object.keys(entry).every((field) => PLAIN_FIELDS.has(field));
  if (isPlain && (!isNeeded || wellKnown(name) !== undefined)) return [...resets, `providers.${name}`];
  return entry.apiKeyEnv !== undefined && wellKnown(name) !== undefined
    ? [...resets, `providers.${name}.apiKeyEnv`]
    : resets;
}

import type { ProviderTest } from "../../contract/routes/model-routes.ts";
import type { ModelFailure, ModelFailureKind } from "../../contract/runs/model-call.ts";
import type { Provider } from "../providers.ts";
import { chooseModel } from "./choose-model.ts";
import { type ListedModel, listModels } from "./provider-models.ts";

const LIST_MS = 10_000;
const SHORTEST_SHOWN = 6;

/** What became of asking a model for one word. */
export type Word =
  | { ok: true; model: string; ms: number; text: string; costUsd: number | null }
  | { ok: false; ms: number; failure: ModelFailure };

interface Ports {
  get: typeof fetch;
  now: () => number;
  /** Asks a model of this provider for one word. */
  ask: (provider: Provider, model: string) => Promise<Word>;
}

/** Whether a provider accepts its key, what it offers, and whether a model answers. Never rejects. */
export async function checkProvider(
  provider: Provider,
  model: string | undefined,
  ports: Ports,
): Promise<ProviderTest> {
  const listing = await listModels(provider, { ...ports, signal: AbortSignal.timeout(LIST_MS) });
  if (listing.state === "failed" && isFinal(listing.failure.kind))
    return { ...verdictOf(listing.failure, provider), models: [] };
  const listed = listing.state === "listed" ? listing.models : [];
  const asked = model ?? chooseModel(provider, listed);
  const models = namesOf(listed);
  if (asked === undefined) return { state: "no_model", models, detail: "The server does not list its models." };
  const word = await ports.ask(provider, asked);
  if (word.ok) return { state: "works", models, model: asked, ms: word.ms };
  return { ...verdictOf(word.failure, provider), models, model: asked };
}

/** With these there is nothing more to learn from asking a model. */
function isFinal(kind: ModelFailureKind): boolean {
  return kind === "no_key" || kind === "unreachable" || kind === "timeout" || kind === "broken";
}

function namesOf(listed: readonly ListedModel[]): string[] {
  return [...listed].sort((left, right) => right.created - left.created).map(({ id }) => id);
}

const STATES: Readonly<Record<ModelFailureKind, ProviderTest["state"]>> = {
  no_key: "rejected",
  quota: "no_credit",
  busy: "busy",
  unknown_model: "model_missing",
  budget: "over_budget",
  refused: "refused",
  too_long: "refused",
  broken: "unreachable",
  unreachable: "unreachable",
  timeout: "unreachable",
  cancelled: "unreachable",
};

export function stateOf({ kind }: ModelFailure): ProviderTest["state"] {
  return STATES[kind];
}

function verdictOf(failure: ModelFailure, { apiKey = "" }: Provider): Pick<ProviderTest, "state" | "detail"> {
  // A server may repeat what it was sent.
  const detail = apiKey.length < SHORTEST_SHOWN ? failure.message : failure.message.replaceAll(apiKey, "[key]");
  return { state: stateOf(failure), detail };
}

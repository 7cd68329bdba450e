import type { ModelsReport } from "../contract/model-routes.ts";
import type { RouteResponse } from "../contract/routes.ts";
import type { Check } from "./health-checks.ts";
import { money } from "./run-text.ts";

type Provider = ModelsReport["providers"][number];

const RESTART = "then stop the daemon and start it anew";

/** Which language models are at hand, and where each provider was found. */
export function modelChecks(report: ModelsReport): Check[] {
  return [defaultCheck(report), ...report.providers.map(providerCheck), ...rankChecks(report)];
}

/** The models of ranks that cannot be asked, which would show only when a team is at work. */
function rankChecks({ team: { ranks } }: ModelsReport): Check[] {
  return Object.entries(ranks).flatMap(([rank, { model, because, problem }]): Check[] =>
    problem === undefined
      ? []
      : [{ name: "rank", state: "warning", detail: `${rank}: ${model} (${because}): ${problem}` }],
  );
}

function defaultCheck({ default: model, offline, providers, playbooks }: ModelsReport): Check {
  const known = playbooks.length === 0 ? "" : `; playbooks: ${playbooks.join(", ")}`;
  if (model !== offline) return { name: "model", state: "ok", detail: `${model} is the default${known}` };
  const why = providers.length === 0 ? "no provider was found" : "it is the default";
  return {
    name: "model",
    state: "warning",
    detail: `only the offline model ${offline}, which rehearses: it costs nothing and does no real work: ${why}${known}`,
    hint: providers[0] === undefined ? firstProvider() : chooseDefault(providers[0]),
  };
}

function firstProvider(): string {
  return `For a real model put a key such as ANTHROPIC_API_KEY into the environment or into .guildhall/secrets of the workspace, or start Ollama, ${RESTART}; docs/models.md tells more.`;
}

function chooseDefault({ name, models }: Provider): string {
  const model = `${name}/${models?.[0] ?? "MODEL"}`;
  return `For a real model set models.default in config.yml, such as ${model}, ${RESTART}.`;
}

function providerCheck(provider: Provider): Check {
  const { name, kind, source, baseUrl, models } = provider;
  const address = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const offers = models === undefined ? "" : `, with ${models.join(", ")}`;
  const found = { config: "from config.yml", environment: "found by its key", local: "found on this machine" };
  const origin = (found as Record<string, string>)[source] ?? source;
  const about = `${name} (${kind}${address}) ${origin}`;
  if (provider.key || provider.keyNames === undefined)
    return { name: "provider", state: "ok", detail: `${about}${keyText(provider)}${offers}` };
  return {
    name: "provider",
    state: "warning",
    detail: `${about}, without a key`,
    hint: `Put it into ${provider.keyNames.join(" or ")}, in the environment or in .guildhall/secrets of the workspace, ${RESTART}.`,
  };
}

/** Where the key came from; never the key. */
function keyText({ key, keyNames }: Provider): string {
  return key ? `, key from ${(keyNames ?? ["its variable"]).join(" or ")}` : ", needs no key";
}

/** What came of asking a model for one word. */
export function testCheck({ ok, model, ms, text, costUsd, error }: RouteResponse<"testModel">): Check {
  if (!ok) {
    const hint = "Check its name, its key and its address; docs/models.md tells where they are set.";
    return { name: "test", state: "failed", detail: `${model} failed after ${ms} ms: ${error ?? "no reason"}`, hint };
  }
  const price = costUsd === undefined || costUsd === null ? "its price is not known" : `it cost ${priceText(costUsd)}`;
  return { name: "test", state: "ok", detail: `${model} answered in ${ms} ms, ${price}: ${text ?? ""}` };
}

/** A single word costs less than the four digits that are enough elsewhere. */
function priceText(usd: number): string {
  return usd > 0 && usd < 0.0001 ? `$${usd.toFixed(7).replace(/0+$/, "")}` : money(usd);
}

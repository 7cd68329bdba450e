import type { ModelsReport } from "../contract/model-routes.ts";
import type { HealthCheck } from "../contract/settings-routes.ts";
import { ok, warning } from "./health-check.ts";

type Provider = ModelsReport["providers"][number];

const RESTART = "then stop the daemon and start it anew";
const KEY_PLACES = "in the environment or in .guildhall/secrets of the workspace";
const ORIGINS: Readonly<Record<string, string>> = {
  config: "from config.yml",
  environment: "found by its key",
  local: "found on this machine",
};

/** Which language models are at hand, and where each provider was found. */
export function modelChecks(report: ModelsReport): HealthCheck[] {
  return [defaultCheck(report), ...report.providers.map(providerCheck), ...rankChecks(report)];
}

function defaultCheck({ default: chosen, offline, providers, playbooks }: ModelsReport): HealthCheck {
  const model = { id: "model", title: "Default model" };
  const known = playbooks.length === 0 ? "" : `; playbooks: ${playbooks.join(", ")}`;
  if (chosen !== offline) return ok(model, `${chosen}${known}`);
  const [provider] = providers;
  const why = provider === undefined ? "no provider was found" : "it is the default";
  return warning(
    model,
    `only the offline model ${offline}, which rehearses: it costs nothing and does no real work: ${why}${known}`,
    provider === undefined ? firstProvider() : chooseDefault(provider),
  );
}

function firstProvider(): string {
  return `For a real model put a key such as ANTHROPIC_API_KEY ${KEY_PLACES}, or start Ollama, ${RESTART}; docs/models.md tells more.`;
}

function chooseDefault({ name, models }: Provider): string {
  const model = `${name}/${models?.[0] ?? "MODEL"}`;
  return `For a real model set models.default in config.yml, such as ${model}, ${RESTART}.`;
}

function providerCheck({ name, kind, source, key, keyNames, baseUrl, models }: Provider): HealthCheck {
  const provider = { id: `provider-${name}`, title: `Provider ${name}` };
  const address = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const about = `${kind}${address}, ${ORIGINS[source] ?? source}`;
  const offers = models === undefined ? "" : `, with ${models.join(", ")}`;
  if (key) return ok(provider, `${about}, key from ${(keyNames ?? ["its variable"]).join(" or ")}${offers}`);
  if (keyNames === undefined) return ok(provider, `${about}, needs no key${offers}`);
  const hint = `Put it into ${keyNames.join(" or ")}, ${KEY_PLACES}, ${RESTART}.`;
  return warning(provider, `${about}, without a key`, hint);
}

/** The models of ranks that cannot be asked, which would show only when a team is at work. */
function rankChecks({ team: { ranks } }: ModelsReport): HealthCheck[] {
  return Object.entries(ranks).flatMap(([rank, { model, because, problem }]) =>
    problem === undefined
      ? []
      : [warning({ id: `rank-${rank}`, title: `Model of a ${rank}` }, `${model} (${because}): ${problem}`)],
  );
}

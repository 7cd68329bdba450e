import type { ModelsReport } from "../../contract/routes/model-routes.ts";
import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import type { ModelsFound } from "../../models/providers.ts";
import { ok, warning } from "./health-check.ts";

/** Which playbooks and ranks there are is known only to a daemon. */
type Report = ModelsFound & Partial<Pick<ModelsReport, "playbooks" | "team">>;
type Provider = ModelsReport["providers"][number];

const ORIGINS: Readonly<Record<string, string>> = {
  config: "in config.yml",
  environment: "detected by its key",
  local: "detected on this machine",
};

/** Which language models are at hand, and where each provider was found. */
export function modelChecks(report: Report): HealthCheck[] {
  return [defaultCheck(report), ...report.providers.map(providerCheck), ...rankChecks(report)];
}

function defaultCheck({ default: chosen, offline, providers, playbooks = [] }: Report) {
  const model = { id: "model", title: "Default model" };
  const known = playbooks.length === 0 ? "" : `; playbooks: ${playbooks.join(", ")}`;
  if (chosen !== offline) return ok(model, `${chosen}${known}`);
  const [provider] = providers;
  const why = provider === undefined ? "no provider found" : "it is the default";
  return warning(
    model,
    `${offline}, the offline model, which costs nothing and does no real work: ${why}${known}`,
    provider === undefined ? hint("provider-add") : hint("model-choose", { text: exampleOf(provider) }),
  );
}

function exampleOf({ name, models }: Provider): string {
  return `${name}/${models?.[0] ?? "MODEL"}`;
}

function providerCheck(about: Provider): HealthCheck {
  const { name, kind, source, key, keyNames, baseUrl, models } = about;
  const provider = { id: `provider-${name}`, title: `Provider ${name}` };
  const address = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const facts = `${kind}${address}, ${ORIGINS[source] ?? source}`;
  const offers = models === undefined ? "" : `, with ${models.join(", ")}`;
  if (key) return ok(provider, `${facts}, key from ${(keyNames ?? ["its variable"]).join(" or ")}${offers}`);
  if (keyNames === undefined) return ok(provider, `${facts}, no key needed${offers}`);
  return warning(provider, `${facts}, no key`, hint("provider-key", { provider: name }));
}

/** The models of ranks that cannot be asked, which would show only when a team is at work. */
function rankChecks({ team }: Report): HealthCheck[] {
  return Object.entries(team?.ranks ?? {}).flatMap(([rank, { model, because, problem }]) =>
    problem === undefined
      ? []
      : [warning({ id: `rank-${rank}`, title: `Model for rank ${rank}` }, `${model} (${because}): ${problem}`)],
  );
}

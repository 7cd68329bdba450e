import type { ModelsReport } from "../../contract/routes/model-routes.ts";
import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import type { ModelsFound } from "../../models/providers.ts";
import { ok, warning } from "./health-check.ts";

/** Which playbooks and ranks there are is known only to a daemon. */
type Report = ModelsFound & Partial<Pick<ModelsReport, "playbooks" | "team">>;
type Provider = ModelsReport["providers"][number];

const RESTART = "then stop the daemon and start it anew";
const ORIGINS: Readonly<Record<string, string>> = {
  config: "from config.yml",
  environment: "found by its key",
  local: "found on this machine",
};

/** Which language models are at hand, and where each provider was found. */
export function modelChecks(report: Report, secretsFile: string): HealthCheck[] {
  const ofProvider = (provider: Provider) => providerCheck(provider, secretsFile);
  return [defaultCheck(report, secretsFile), ...report.providers.map(ofProvider), ...rankChecks(report)];
}

function defaultCheck({ default: chosen, offline, providers, playbooks = [] }: Report, secretsFile: string) {
  const model = { id: "model", title: "Default model" };
  const known = playbooks.length === 0 ? "" : `; playbooks: ${playbooks.join(", ")}`;
  if (chosen !== offline) return ok(model, `${chosen}${known}`);
  const [provider] = providers;
  const why = provider === undefined ? "no provider was found" : "it is the default";
  return warning(
    model,
    `only the offline model ${offline}, which rehearses: it costs nothing and does no real work: ${why}${known}`,
    provider === undefined ? firstProvider(secretsFile) : chooseDefault(provider),
  );
}

function firstProvider(secretsFile: string): string {
  return (
    `For a real model set a key such as ANTHROPIC_API_KEY in the environment, or put it as a line ANTHROPIC_API_KEY=… into ` +
    `${secretsFile}, or start Ollama, ${RESTART}; docs/models.md tells more.`
  );
}

function chooseDefault({ name, models }: Provider): string {
  const model = `${name}/${models?.[0] ?? "MODEL"}`;
  return `For a real model set models.default in config.yml, such as ${model}, ${RESTART}.`;
}

function providerCheck(about: Provider, secretsFile: string): HealthCheck {
  const { name, kind, source, key, keyNames, baseUrl, models } = about;
  const provider = { id: `provider-${name}`, title: `Provider ${name}` };
  const address = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const facts = `${kind}${address}, ${ORIGINS[source] ?? source}`;
  const offers = models === undefined ? "" : `, with ${models.join(", ")}`;
  if (key) return ok(provider, `${facts}, key from ${(keyNames ?? ["its variable"]).join(" or ")}${offers}`);
  if (keyNames === undefined) return ok(provider, `${facts}, needs no key${offers}`);
  const names = keyNames.join(" or ");
  const hint = `Set ${names} in the environment, or put it as a line ${keyNames[0]}=… into ${secretsFile}, ${RESTART}.`;
  return warning(provider, `${facts}, without a key`, hint);
}

/** The models of ranks that cannot be asked, which would show only when a team is at work. */
function rankChecks({ team }: Report): HealthCheck[] {
  return Object.entries(team?.ranks ?? {}).flatMap(([rank, { model, because, problem }]) =>
    problem === undefined
      ? []
      : [warning({ id: `rank-${rank}`, title: `Model of a ${rank}` }, `${model} (${because}): ${problem}`)],
  );
}

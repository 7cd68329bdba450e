import type { AgentTeams } from "../contract/documents/config.ts";
import type { ModelPreset, Rank, Resolved } from "../contract/documents/rank.ts";
import { DEFAULT_PRESET, PRESETS } from "./presets.ts";

export interface TeamChoice {
  settings: AgentTeams;
  /** The preset that a request names. */
  preset?: ModelPreset | undefined;
  /** Why a model cannot be asked; undefined when it can. */
  whyNot: (model: string) => string | undefined;
}

/** The preset that counts: that of the request, of config.yml, or the default one. */
export function choosePreset({ settings, preset }: Omit<TeamChoice, "whyNot">): Resolved<ModelPreset> {
  if (preset !== undefined) return { value: preset, because: "set by this request" };
  if (settings.modelPreset !== undefined)
    return { value: settings.modelPreset, because: "set by agentTeams.modelPreset" };
  return { value: DEFAULT_PRESET, because: "the default" };
}

/** The best model that can be asked, for work whose quality no setting may lower. */
export function topModel(choice: TeamChoice): string | undefined {
  const own = (["lead", "escalation"] as const).map((rank) => resolveRank(choice, rank)?.value);
  const models = [PRESETS["max-quality"].head, ...own].filter((model) => model !== undefined);
  return models.find((model) => choice.whyNot(model) === undefined);
}

/** The model of every rank of a team. */
export function resolveTeam(choice: TeamChoice, fallback: Resolved<string>): Record<Rank, Resolved<string>> {
  return {
    lead: resolveRank(choice, "lead", fallback),
    head: resolveRank(choice, "head", fallback),
    worker: resolveRank(choice, "worker", fallback),
    reviewer: resolveRank(choice, "reviewer", fallback),
    escalation: resolveRank(choice, "escalation", fallback),
  };
}

/**
 * The model of one rank. A preset that somebody chose stands, even where its model cannot be asked; the default one is
 * then passed over for the fallback, and the reason says so. Without a fallback, undefined.
 */
export function resolveRank(choice: TeamChoice, rank: Rank, fallback: Resolved<string>): Resolved<string>;
export function resolveRank(choice: TeamChoice, rank: Rank): Resolved<string> | undefined;
export function resolveRank(choice: TeamChoice, rank: Rank, fallback?: Resolved<string>): Resolved<string> | undefined {
  const instead = (why: string) =>
    fallback === undefined ? undefined : { value: fallback.value, because: `${fallback.because}; ${why}` };
  const { settings, whyNot } = choice;
  if (!settings.enabled) return instead("agentTeams.enabled is false");
  const own = settings[`${rank}Model`];
  if (own !== undefined) return { value: own, because: `set by agentTeams.${rank}Model` };
  const preset = choosePreset(choice);
  const value = PRESETS[preset.value][rank];
  if (value === "default") return instead(`preset ${preset.value} does not set it`);
  const isChosen = choice.preset !== undefined || settings.modelPreset !== undefined;
  const reason = isChosen ? undefined : whyNot(value);
  if (reason !== undefined) return instead(`preset ${preset.value} was skipped: ${reason}`);
  return { value, because: `${rank} model of preset ${preset.value}, ${preset.because}` };
}

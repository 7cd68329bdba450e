import type { AgentTeams } from "../../contract/documents/config.ts";
import type { Resolved } from "../../contract/documents/rank.ts";
import { inferProvider, vendorOf } from "../../models/infer-provider.ts";
import { OFFLINE_MODEL } from "../../models/providers.ts";
import { resolveRank } from "../../models/team-models.ts";

export interface ModelChoice {
  /** qualityGates.reviewModel. */
  reviewModel: string;
  teams: AgentTeams;
  projectModel?: string | undefined;
  defaultModel: string;
  /** What each provider that has a key is usually asked for. */
  usual: readonly string[];
  /** The model that made the change, where one did. */
  author?: string | undefined;
  /** Why a model can't be asked; undefined when it can. */
  whyNot: (model: string) => string | undefined;
  /** Whether the offline model answers in its place. */
  isPlayed: (model: string) => boolean;
}

export interface ReviewModels {
  review: Resolved<string>;
  /** Takes the second look: another one than reviews, where there is one. */
  second: string;
}

/**
 * The model of the setting where it can be asked, then that of the rank; after these, one of another vendor than the author's is preferred.
 * Whoever works with the offline model pays for no review.
 */
export function chooseReviewModels(choice: ModelChoice): ReviewModels {
  const offline = { value: OFFLINE_MODEL, because: "the offline model" };
  if (choice.author !== undefined && choice.isPlayed(choice.author)) return { review: offline, second: OFFLINE_MODEL };
  const { set, others } = candidates(choice);
  const isUsable = ({ value }: Resolved<string>) => choice.whyNot(value) === undefined && !choice.isPlayed(value);
  const chosen = set.find(isUsable);
  const usable = others.filter(isUsable);
  const isForeign = ({ value }: Resolved<string>) => vendorOf(value) !== vendorOf(choice.author ?? "");
  const review = chosen ?? usable.find(isForeign) ?? usable[0] ?? offline;
  const rest = [...set.filter(isUsable), ...usable].filter(({ value }) => value !== review.value);
  const second = rest.find(({ value }) => vendorOf(value) !== vendorOf(review.value)) ?? rest[0] ?? review;
  return { review, second: second.value };
}

/** `set`: what somebody chose for reviews, or the defaults of these settings. */
function candidates({ reviewModel, teams, projectModel, defaultModel, usual, whyNot }: ModelChoice) {
  const named = (value: string | undefined, because: string): Resolved<string>[] =>
    value === undefined || value === "default" ? [] : [{ value, because }];
  const rank = resolveRank({ settings: teams, whyNot }, "reviewer");
  return {
    set: [
      ...named(inferProvider(reviewModel), "set by qualityGates.reviewModel"),
      ...(teams.enabled ? named(teams.reviewerModel, "set by agentTeams.reviewerModel") : []),
    ],
    others: [
      ...(rank === undefined ? [] : [rank]),
      ...named(projectModel, "set by the project"),
      ...named(defaultModel, "the default model"),
      ...usual.flatMap((model) => named(model, "the usual model of its provider")),
    ],
  };
}

import type { Perspective } from "../../contract/runs/hand-in.ts";
import {
  CONSENSUS_SEVERITIES,
  type CONSENSUS_VERDICTS,
  type ConsensusSeverity,
} from "../../contract/words/teams/role-spec-words.ts";

export interface Consensus {
  verdict: (typeof CONSENSUS_VERDICTS)[number];
  severity: ConsensusSeverity;
  /** The mean of all ratings, 1 to 5. */
  rating: number;
}

/** The least mean with which a proposal goes on. */
const AGREED = 3;

/** The hall counts; whoever discusses only rates. */
export function consensusOf(perspectives: readonly Pick<Perspective, "rating" | "severity">[]): Consensus {
  const sum = perspectives.reduce((total, { rating }) => total + rating, 0);
  const rating = Math.round((sum / Math.max(1, perspectives.length)) * 100) / 100;
  const places = perspectives.map(({ severity }) => CONSENSUS_SEVERITIES.indexOf(severity));
  const worst = CONSENSUS_SEVERITIES[Math.max(0, ...places)] ?? "none";
  if (worst !== "high" && rating >= AGREED) return { verdict: "consensus_reached", severity: worst, rating };
  return { verdict: "consensus_blocked", severity: worst === "high" ? "high" : "medium", rating };
}

/** What follows: the member goes on, goes on with a warning, or waits for a decision. */
export function consensusRoute({ verdict, severity }: Consensus): "continue" | "warn" | "ask" {
  if (verdict === "consensus_reached") return "continue";
  return severity === "high" ? "ask" : "warn";
}

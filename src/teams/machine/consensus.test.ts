import { expect, it } from "vitest";
import type { ConsensusSeverity } from "../../contract/words/teams/role-spec-words.ts";
import { consensusOf, consensusRoute } from "./consensus.ts";

it.each<[ratings: [number, ConsensusSeverity][], verdict: string, severity: string, route: string]>([
  [
    [
      [5, "none"],
      [4, "low"],
    ],
    "consensus_reached",
    "low",
    "continue",
  ],
  [
    [
      [3, "medium"],
      [3, "none"],
    ],
    "consensus_reached",
    "medium",
    "continue",
  ],
  [
    [
      [2, "low"],
      [3, "none"],
    ],
    "consensus_blocked",
    "medium",
    "warn",
  ],
  [[[2, "medium"]], "consensus_blocked", "medium", "warn"],
  [
    [
      [5, "none"],
      [5, "high"],
    ],
    "consensus_blocked",
    "high",
    "ask",
  ],
  [[], "consensus_blocked", "medium", "warn"],
])("of ratings %j: %s, %s, and the team goes on with %s [S2-W-04]", (ratings, verdict, severity, route) => {
  const found = consensusOf(ratings.map(([rating, of]) => ({ rating, severity: of })));
  expect([found.verdict, found.severity, consensusRoute(found)]).toEqual([verdict, severity, route]);
});

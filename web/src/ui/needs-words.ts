import type { Now } from "../../../src/contract/now.ts";

/** What waits for the person, apart: what stands still, and what is to be reviewed. */
export function needsWords({ needsMe, review }: Pick<Now["counts"], "needsMe" | "review">): string[] {
  return [
    ...(needsMe > 0 ? [`${needsMe} ${needsMe === 1 ? "needs" : "need"} you`] : []),
    ...(review > 0 ? [`${review} in review`] : []),
  ];
}

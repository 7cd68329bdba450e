import type { RouteResponse } from "../contract/routes.ts";
import { money } from "./run-text.ts";

/** What came of asking a model for one word. */
export function testDetail({ ok, model, ms, text, costUsd, error }: RouteResponse<"testModel">): string {
  if (!ok) return `${model} failed after ${ms} ms: ${error ?? "no reason"}`;
  const price = costUsd === undefined || costUsd === null ? "its price is not known" : `it cost ${priceText(costUsd)}`;
  return `${model} answered in ${ms} ms, ${price}: ${text ?? ""}`;
}

/** A single word costs less than the four digits that are enough elsewhere. */
function priceText(usd: number): string {
  return usd > 0 && usd < 0.0001 ? `$${usd.toFixed(7).replace(/0+$/, "")}` : money(usd);
}

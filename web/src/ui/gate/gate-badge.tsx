import { Link } from "@tanstack/react-router";
import { Badge } from "../badge.tsx";
import type { GateState } from "./gate-state.ts";

/** Leads to the report. */
export function GateBadge({ state: { word, tone, gateId } }: { state: GateState }) {
  const badge = <Badge tone={tone}>{word}</Badge>;
  if (gateId === undefined) return badge;
  return (
    <Link
      to="/gates/$gateId"
      params={{ gateId }}
      title="Open the gate report"
      className="relative z-10 hover:underline"
    >
      {badge}
    </Link>
  );
}

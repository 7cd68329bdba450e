import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";

/** One line while the orchestrator is on. */
export function OrchestratorLine() {
  const state = useQuery(queries.orchestrator()).data?.orchestrator;
  if (state === undefined || state.state === "off") return null;
  return (
    <p className="text-sm text-faint">
      <Link to="/settings/orchestrator" className="text-accent underline">
        Orchestrator
      </Link>
      : {state.why}
    </p>
  );
}

import type { GateLine, GateReport } from "../../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import type { RouteBody, RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of the quality gates. */
export interface GateDesk {
  list(projectId: string, query: RouteQuery<"listGates">): Promise<{ gates: GateLine[]; nextCursor?: string }>;
  create(
    projectId: string,
    asked: { body: RouteBody<"createGate">; query: RouteQuery<"createGate"> },
    change: Change,
  ): Promise<GateReport>;
  get(id: string): Promise<GateReport>;
  cancel(id: string, change: Change): Promise<GateReport>;
  waive(id: string, body: RouteBody<"waiveFinding">, change: Change): Promise<GateReport>;
  ofRun(runId: string): Promise<GateReport[]>;
  detect(projectId: string): Promise<RouteResponse<"detectChecks">>;
  quality(projectId: string): Promise<RouteResponse<"getQuality">>;
  owners(projectId: string): Promise<RouteResponse<"listOwners">>;
}

/** What the server needs of the integration gate. */
export interface IntegrationDesk {
  create(
    projectId: string,
    asked: { body: RouteBody<"createIntegrationCheck">; query: RouteQuery<"createIntegrationCheck"> },
    change: Change,
  ): Promise<IntegrationCheck>;
  /** `wait`: seconds to wait for the verdict. */
  get(id: string, wait?: number): Promise<IntegrationCheck>;
  list(projectId: string): Promise<IntegrationCheck[]>;
  waive(id: string, body: RouteBody<"waiveIntegrationFinding">, change: Change): Promise<IntegrationCheck>;
}

const success = true as const;

export function gateHandlers(
  gates: GateDesk,
  integration: IntegrationDesk,
): HandlersOf<
  | "listGates"
  | "createGate"
  | "getGate"
  | "cancelGate"
  | "waiveFinding"
  | "listRunGates"
  | "detectChecks"
  | "getQuality"
  | "listOwners"
  | "createIntegrationCheck"
  | "getIntegrationCheck"
  | "listIntegrationChecks"
  | "waiveIntegrationFinding"
> {
  return {
    listGates: ({ params: { id }, query }) => gates.list(id, query),
    createGate: async ({ params: { id }, body, query, change }) => ({
      gate: await gates.create(id, { body, query }, change),
    }),
    getGate: async ({ params: { id } }) => ({ gate: await gates.get(id) }),
    cancelGate: async ({ params: { id }, change }) => ({ success, gate: await gates.cancel(id, change) }),
    waiveFinding: async ({ params: { id }, body, change }) => ({ success, gate: await gates.waive(id, body, change) }),
    listRunGates: async ({ params: { id } }) => ({ gates: await gates.ofRun(id) }),
    detectChecks: ({ params: { id } }) => gates.detect(id),
    getQuality: ({ params: { id } }) => gates.quality(id),
    listOwners: ({ params: { id } }) => gates.owners(id),
    createIntegrationCheck: async ({ params: { id }, body, query, change }) => ({
      check: await integration.create(id, { body, query }, change),
    }),
    getIntegrationCheck: async ({ params: { id }, query }) => ({ check: await integration.get(id, query.wait) }),
    listIntegrationChecks: async ({ params: { id } }) => ({ checks: await integration.list(id) }),
    waiveIntegrationFinding: async ({ params: { id }, body, change }) => ({
      success,
      check: await integration.waive(id, body, change),
    }),
  };
}

import type { Lead, LeadBriefing } from "../../contract/documents/autonomy/lead.ts";
import type { RouteBody, RouteQuery } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of leads. */
export interface LeadApi {
  list(query: RouteQuery<"listLeads">): Lead[];
  get(id: string): Lead;
  briefing(projectId: string, initiative: string): LeadBriefing;
  start(projectId: string, initiative: string, body: RouteBody<"startLead">, change: Change): Promise<Lead>;
  stop(projectId: string, initiative: string, change: Change): Promise<Lead>;
}

const success = true as const;

type InitiativeEndpoint =
  | "listInitiatives"
  | "createInitiative"
  | "getInitiative"
  | "updateInitiative"
  | "getLeadBriefing"
  | "startLead"
  | "stopLead"
  | "listLeads";

export const initiativeHandlers = (hall: Hall, leads: LeadApi): HandlersOf<InitiativeEndpoint> => ({
  listInitiatives: ({ params }) => ({ initiatives: hall.documents.initiatives(params.id) }),
  createInitiative: async ({ params, body, change }) => ({
    success,
    initiative: await hall.documents.createInitiative(params.id, body, change),
  }),
  getInitiative: ({ params }) => ({ initiative: hall.documents.initiative(params.id, params.slug) }),
  updateInitiative: async ({ params, body, change }) => ({
    success,
    initiative: await hall.documents.updateInitiative(params.id, params.slug, body, change),
  }),
  getLeadBriefing: ({ params }) => ({ briefing: leads.briefing(params.id, params.slug) }),
  startLead: async ({ params, body, change }) => ({
    success,
    lead: await leads.start(params.id, params.slug, body, change),
  }),
  stopLead: async ({ params, change }) => ({ success, lead: await leads.stop(params.id, params.slug, change) }),
  listLeads: ({ query }) => ({ leads: leads.list(query) }),
});

import type { Lead, LeadBriefing } from "../../src/contract/documents/autonomy/lead.ts";
import type { AppOptions } from "../../src/server/app.ts";

const sampleBriefing: LeadBriefing = {
  ...{ projectId: "alpha", initiative: "launch", title: "Launch", tasks: { done: 0, total: 1 } },
  ...{ goals: ["Open the shop"], decisions: [], unblocked: [], focus: [], open: [] },
  conventions: { workspace: [], project: [] },
  text: "alpha / launch (Launch). 0/1 tasks done.",
};
const sampleLead: Lead = {
  ...{ id: "lead-one", projectId: "alpha", initiative: "launch", title: "Launch", status: "working" },
  ...{ why: "Started manually.", startedBy: "person", startedAt: "2026-03-01T12:00:00.000Z", rounds: 1 },
  ...{ runs: [], teams: [], briefing: sampleBriefing, costUsd: 0 },
};

export function fakeLeads(): Pick<AppOptions, "leads"> {
  return {
    leads: {
      list: () => [sampleLead],
      get: () => sampleLead,
      briefing: () => sampleBriefing,
      start: async () => sampleLead,
      stop: async () => sampleLead,
    },
  };
}

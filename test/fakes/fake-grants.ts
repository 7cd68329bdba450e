import type { ShownGrant } from "../../src/contract/routes/people/grant-routes.ts";
import type { GrantDesk } from "../../src/server/handlers/grant-handlers.ts";
import { NOON } from "./fake-hall.ts";

/** Has one grant, which stays as it is. */
export function fakeGrants(): GrantDesk {
  return {
    list: async () => [ONE],
    get: async () => ({ grant: ONE, uses: [] }),
    revoke: async () => ONE,
    preview: async () => ({ rule: ONE.rule, text: ONE.text, since: NOON, total: 0, calls: [] }),
  };
}

const ONE: ShownGrant = {
  id: "grant-001",
  scope: "always",
  rule: { tool: "exec", commands: ["npm test"] },
  text: "exec: npm test",
  projectId: "shop",
  roleId: "coder",
  runId: "run-1",
  callId: "call-1",
  from: "esc-001",
  createdAt: NOON,
  state: "open",
  uses: 0,
  recentUses: 0,
};

import { expect, it } from "vitest";
import { run } from "../../../test/fakes/api-documents.ts";
import type { Grant } from "../../contract/documents/permission.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { EscalationChanges } from "../asking/escalation-changes.ts";
import { Permissions } from "./permissions.ts";

const asking = run({ id: "run-1" });
const grant: Grant = {
  ...{ id: "grant-001", scope: "always", rule: { tool: "list", input: "{}" }, from: "esc-001" },
  ...{ projectId: asking.projectId, roleId: asking.roleId, runId: "run-0", callId: "call-0" },
  createdAt: "2026-11-18T12:00:00.000Z",
};

it("a grant that is revoked right before a call would use it does not allow the call: the person is asked", async () => {
  let grants = [grant];
  const hall = {
    escalations: {
      ofCall: async () => undefined,
      create: async (fields: object) => ({ ...fields, id: "esc-002" }) as StoredEscalation,
    },
    grants: {
      list: () => grants,
      // Whoever revokes it had the list first.
      whileUnchanged: <Result>(work: () => Promise<Result>) => {
        grants = [];
        return work();
      },
    },
  } as unknown as Hall;
  const core = {
    clock: () => new Date("2026-11-18T12:00:01.000Z"),
    locks: { run: <Result>(_: string, work: () => Promise<Result>) => work() },
    tasks: { record: () => undefined },
  } as unknown as Core;
  const permissions = new Permissions({
    ...{ core, hall, changes: {} as EscalationChanges, blocks: { settleOf: async () => undefined } },
    ...{ hours: () => 1, redactInput: (input) => input, replacedBy: () => undefined, onTrouble: () => undefined },
  });
  const call = { run: asking, ask: ["list"], callId: "call-1", tool: "list", input: "{}" };
  expect(await permissions.permit(call)).toEqual({ state: "waits", text: "Call list {}?" });
});

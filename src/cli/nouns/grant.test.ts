import { expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const AT = "2026-11-16T12:00:00.000Z";
const GRANT = {
  ...{ id: "grant-001", scope: "always", rule: { tool: "exec", commands: ["npm test"] }, text: "exec: npm test" },
  ...{ projectId: "shop", roleId: "coder", runId: "run-1", callId: "c-1", from: "esc-001", createdAt: AT },
  ...{ state: "open", uses: 1, recentUses: 1, lastUsedAt: AT },
};
const USE = { runId: "run-1", taskId: "TASK-001", callId: "c-1", tool: "exec", subject: "npm test", at: AT };

it("lists permissions", async () => {
  expect((await runCli(["grant", "list"], () => ok({ grants: [] }))).out).toBe("No open permissions.\n");
  const { out, requests } = await runCli(["grant", "list", "--all", "-p", "shop"], () => ok({ grants: [GRANT] }));
  expect(requests[0]).toMatchObject({ path: "/api/grants", query: { project: "shop", all: "true" } });
  expect(out).toMatch(/grant-001 +open +always +shop +coder +1 +exec: npm test/);
});

it("shows a permission with the calls it allowed, and revokes it", async () => {
  const { out } = await runCli(["grant", "show", "grant-001"], () => ok({ grant: GRANT, uses: [USE] }));
  expect(out).toMatch(/exec: npm test[\s\S]*answer to +esc-001[\s\S]*run-1 +TASK-001 +exec +npm test/);
  const revoked = await runCli(["grant", "revoke", "grant-001"], () => ok({ success: true, grant: GRANT }));
  expect([revoked.requests[0]?.method, revoked.requests[0]?.path]).toEqual(["DELETE", "/api/grants/grant-001"]);
  expect(revoked.out).toBe("Revoked: grant-001 (exec: npm test).\n");
});

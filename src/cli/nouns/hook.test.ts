import { describe, expect, it } from "vitest";
import { type ApiRequest, ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { Hook, HookDetail } from "../../contract/documents/hook.ts";

const NAME = "shop:PreToolUse-1";
const TERMINAL = { terminal: 80 };

const hook = (changes: Partial<Hook> = {}): Hook => ({
  name: NAME,
  event: "PreToolUse",
  source: "repository",
  projectId: "shop",
  command: ["sh", "-c", "sh check.sh"],
  timeoutSeconds: 60,
  onError: "refuse",
  enabled: true,
  accepted: false,
  hash: "3f2a",
  last30Days: { allowed: 0, refused: 0, failed: 0 },
  ...changes,
});

const server =
  (changes: Partial<Hook> = {}) =>
  ({ method }: ApiRequest) => {
    const content = [{ path: "check.sh", text: "exit 2" }];
    const detail: HookDetail = { hook: hook(changes), content, recent: [] };
    return ok(method === "GET" ? detail : { success: true, hook: hook({ accepted: true }) });
  };

const accepted = (requests: readonly ApiRequest[]) =>
  requests.filter(({ method }) => method === "POST").map(({ body }) => body);

describe("hook accept without a hash", () => {
  it("shows the content on a terminal, asks, and accepts exactly what was shown", async () => {
    const yes = await runCli(["hook", "accept", NAME], server(), { ...TERMINAL, reply: "y" });
    expect([yes.code, accepted(yes.requests)]).toEqual([0, [{ hash: "3f2a" }]]);
    expect(yes.out).toContain("exit 2");
    const no = await runCli(["hook", "accept", NAME], server(), { ...TERMINAL, reply: "" });
    expect([no.code, accepted(no.requests)]).toEqual([0, []]);
    expect(no.err).toContain("No changes made.");
  });

  it("accepts nothing that nobody saw, unless --yes says so", async () => {
    for (const [words, choice] of [
      [[], {}],
      [["--json"], { ...TERMINAL, reply: "y" }],
    ] as const) {
      const refused = await runCli(["hook", "accept", NAME, ...words], server(), choice);
      expect([refused.code, accepted(refused.requests)]).toEqual([2, []]);
      expect(refused.err).toContain("--hash or --yes is required");
    }
    const sure = await runCli(["hook", "accept", NAME, "--yes"], server());
    expect([sure.code, accepted(sure.requests)]).toEqual([0, [{ hash: "3f2a" }]]);
  });

  it("asks nobody about a hook that needs no acceptance", async () => {
    const own = await runCli(["hook", "accept", "no-push"], server({ hash: undefined }), { ...TERMINAL, reply: "y" });
    expect([own.code, accepted(own.requests)]).toEqual([2, []]);
    expect(own.err).toContain("needs no acceptance");
  });
});

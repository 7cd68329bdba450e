import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { SandboxProbe } from "../../agent/sandbox/probe.ts";
import { Files } from "../../store/files/files.ts";
import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Core } from "../../workspace/core.ts";
import { HookCaller } from "./hook-caller.ts";
import { HookPlaces } from "./hook-places.ts";
import { ownHook } from "./listed-hook.ts";

it("a program fails where there is no sandbox, and is not run without one", async () => {
  const core = { files: new Files(temporaryFolder()) } as Core;
  const sandbox = { settle: async () => ({ name: "none", detail: "bwrap is missing" }) } as unknown as SandboxProbe;
  const places = new HookPlaces({ core, sandbox, project: () => undefined, workdirOf: () => undefined });
  const redactor = { deep: (value: unknown) => value, text: (text: string) => text } as Redactor;
  const caller = new HookCaller({ places, redactorOf: () => redactor, onTrouble: () => undefined });
  const settings = { event: "PreToolUse", name: "guard", timeoutSeconds: 1 } as const;
  const hook = ownHook({ ...settings, command: ["true"], onError: "refuse", enabled: true }, "config");
  const call = await caller.call(hook, { hook_event_name: "PreToolUse", tool_name: "exec" });
  expect(call).toMatchObject({ outcome: "failed", text: expect.stringContaining("bwrap is missing") });
  await caller.close();
});

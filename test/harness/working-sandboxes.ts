import { describe, it } from "vitest";
import { sandboxesHere, whyNot } from "../../src/agent/sandbox/probe.ts";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";

/** The same attacks in every sandbox that works on this machine; the others are named as skipped. */
export async function inEverySandbox(attacks: (sandbox: Sandbox) => void): Promise<void> {
  for (const sandbox of sandboxesHere()) {
    const refusal = await whyNot(sandbox);
    if (refusal === undefined) describe(sandbox.name, () => attacks(sandbox));
    else describe.skip(`${sandbox.name} does not work here: ${refusal}`, () => it.todo("holds"));
  }
}

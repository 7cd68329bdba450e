import { describe, it } from "vitest";
import { sandboxesHere, whyNot } from "../../src/agent/sandbox/probe.ts";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";

/** The only one to be attacked in, when the attacks are run in one after the other; it must work then. */
const ONLY = process.env.GUILDHALL_ATTACKS_IN;

/** The same attacks in every sandbox that works on this machine; the others are named as skipped. */
export async function inEverySandbox(attacks: (sandbox: Sandbox) => void): Promise<void> {
  for (const sandbox of sandboxesHere().filter(({ name }) => ONLY === undefined || name === ONLY)) {
    const refusal = await whyNot(sandbox);
    if (refusal === undefined || sandbox.name === ONLY) describe(sandbox.name, () => attacks(sandbox));
    else describe.skip(`${sandbox.name} does not work here: ${refusal}`, () => it.todo("holds"));
  }
}

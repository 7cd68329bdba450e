import type { Config } from "../contract/config.ts";
import type { Problem } from "../contract/problem.ts";
import type { Keys } from "../models/providers.ts";
import { CONFIG_FILE } from "../workspace/config-file.ts";
import type { Core } from "../workspace/core.ts";
import { Deliveries } from "./deliveries.ts";
import { forgetDeliveryState, readDeliveryState, writeDeliveryState } from "./delivery-state.ts";
import { Webhook } from "./webhook.ts";

interface Options {
  core: Core;
  config: Config["notify"];
  keys: Keys;
  onTrouble: (what: string, error: unknown) => void;
}

/** Sends notifications to the person's webhook, where there is one; what goes wrong there shows as a problem. */
export async function openNotifications({
  core,
  config,
  keys,
  onTrouble,
}: Options): Promise<{ close(): Promise<void>; problems(): Problem[] }> {
  const { url, secretEnv } = config;
  const nothing = { close: async () => undefined, problems: () => [] };
  if (url === undefined) {
    // An address that is given later gets what happens from then on.
    forgetDeliveryState(core.files);
    return nothing;
  }
  const secret = secretEnv === undefined ? undefined : keys[secretEnv];
  if (secretEnv !== undefined && secret === undefined) {
    if (readDeliveryState(core.files) === undefined)
      await writeDeliveryState(core.files, { after: core.events.head() });
    const missing = [
      problem(
        `notify.secretEnv names ${secretEnv}, which is set neither in the environment nor in .guildhall/secrets of the workspace: notifications wait until it is`,
      ),
    ];
    return { ...nothing, problems: () => missing };
  }
  const webhook = new Webhook({ url, secret, clock: core.clock });
  const deliveries = await Deliveries.open({ core, webhook, random: Math.random, onTrouble });
  return { close: () => deliveries.close(), problems: () => problemsOf(deliveries, webhook.origin) };
}

function problemsOf({ givenUp }: Deliveries, origin: string): Problem[] {
  if (givenUp === undefined) return [];
  const { count, reason, at } = givenUp;
  const what = count === 1 ? "a notification was" : `${count} notifications were`;
  return [problem(`${what} given up: ${origin} was last tried at ${at}, and ${reason}`)];
}

function problem(reason: string): Problem {
  return { file: CONFIG_FILE, kind: "config", severity: "warning", reason };
}

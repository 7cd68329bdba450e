import { HallError } from "../contract/errors.ts";
import type { CommandEntry } from "./command-spec.ts";
import type { Host } from "./host.ts";
import type { Call, Client } from "./http/client.ts";
import type { Output } from "./output.ts";

/** Everything an action works with. */
export interface Context {
  workspace: string;
  host: Host;
  output: Output;
  call: Call;
  open: Client["open"];
  /** Every command there is. */
  allCommands: () => Promise<CommandEntry[]>;
}

/** -p, else GUILDHALL_PROJECT. */
export function chosenProject(option: string | undefined, { host }: Context): string | undefined {
  return option ?? (host.env.GUILDHALL_PROJECT || undefined);
}

export function requiredProject(option: string | undefined, context: Context): string {
  const project = chosenProject(option, context);
  if (project === undefined || project === "") {
    throw new HallError("usage", "Missing project.", { hint: "Pass -p PROJECT or set GUILDHALL_PROJECT." });
  }
  return project;
}

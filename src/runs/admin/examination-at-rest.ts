import type { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import { discoverModels } from "../../models/model-discovery.ts";
import type { Keys } from "../../models/providers.ts";
import { groundChecks } from "./ground-checks.ts";
import { failed, worstFirst } from "./health-check.ts";
import { modelChecks } from "./model-checks.ts";

interface AtRest {
  workspace: string;
  /** The workspace as commands name it; undefined where they need not. */
  named?: string | undefined;
  clock: () => Date;
  /** What a daemon would begin with. */
  begin: () => { config: Config; keys: Keys };
}

/** The doctor where no daemon runs. Creates nothing. */
export async function examineAtRest({ workspace, named, clock, begin }: AtRest): Promise<HealthCheck[]> {
  const ground = groundChecks(workspace, named);
  if (ground.some(({ id, state }) => state === "failed" && (id === "workspace" || id === "config")))
    return worstFirst(ground);
  try {
    const models = await discoverModels({ ...begin(), clock }).report();
    return worstFirst([...ground, ...modelChecks(models)]);
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    return worstFirst([...ground, failed({ id: "keys", title: "Keys" }, error.message, error.hint)]);
  }
}

import type { RouteBodyInput } from "../../../../../src/contract/routes/routes.ts";
import type { RunPlan } from "../../../../../src/contract/runs/run.ts";
import { secondsOf } from "../../../ui/text/minutes.ts";

/** What a person fills in before an agent is started. */
export interface Order {
  roleId: string;
  /** Empty: as the hall chooses. */
  purpose: string;
  title: string;
  description: string;
  model: string;
  thinking: string;
  /** Minutes. */
  timeout: string;
  files: readonly string[];
  variables: Record<string, string>;
}

export const NO_ORDER: Order = {
  ...{ roleId: "", purpose: "", title: "", description: "", model: "", thinking: "", timeout: "" },
  ...{ files: [], variables: {} },
};

type Body = NonNullable<RouteBodyInput<"spawnInProject">>;

/** The request, or undefined while something is missing without which there is nothing to show. */
export function requestOf(order: Order, taskId: string | undefined): Body | undefined {
  if (order.roleId === "" || (taskId === undefined && order.title.trim() === "")) return undefined;
  const timeout = secondsOf(order.timeout);
  const overrides = {
    ...(order.model.trim() === "" ? {} : { model: order.model.trim() }),
    ...(order.thinking === "" ? {} : { thinking: order.thinking as RunPlan["thinking"]["value"] }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  const variables = Object.fromEntries(Object.entries(order.variables).filter(([, value]) => value !== ""));
  return {
    roleId: order.roleId,
    ...(taskId === undefined ? { task: { title: order.title.trim(), description: order.description } } : { taskId }),
    ...(order.purpose === "" || taskId === undefined ? {} : { purpose: order.purpose as Body["purpose"] & string }),
    overrides,
    ...(order.files.length === 0 ? {} : { contextFiles: [...order.files] }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  };
}

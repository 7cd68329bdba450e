import { HallError } from "../contract/errors.ts";
import { ChangeWatch } from "../store/files/change-watch.ts";
import { asHallError } from "./failures.ts";

/** A question that was in the middle of its answer when the index was lost is asked again, when it is `ready`. */
export async function onceMore<Result>(
  ask: () => Result | Promise<Result>,
  ready: () => Promise<void>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof HallError && error.retryable && error.changed === "no")) throw error;
    await ready();
    return ask();
  }
}

/** A change whose failure says whether something was changed all the same. Where nothing was, it may be tried again. */
export function truthfully<Result>(act: () => Promise<Result>, ready: () => Promise<void>): Promise<Result> {
  const attempt = async () => {
    const watch = new ChangeWatch();
    try {
      return await watch.run(act);
    } catch (error) {
      throw watch.hasChanged ? maybeKept(error) : error;
    }
  };
  return onceMore(attempt, ready);
}

function maybeKept(error: unknown): unknown {
  const told = asHallError(error);
  if (told.code !== "storage_failed" || told.changed === "unknown") return error;
  const { message, file, line, retryable } = told;
  const hint = "It may have been saved: read the document again. Check free space and permissions of the workspace.";
  const place = { file, line, retryable, changed: "unknown" as const, hint };
  return Object.assign(new HallError(told.code, message, place), { cause: error });
}

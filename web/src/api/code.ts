import { advice } from "../../../src/contract/words/hint.ts";
import { connection } from "../live/connection.ts";
import { call } from "./client.ts";
import { Failure, isAway } from "./failure.ts";

type Load<Module> = () => Promise<Module>;

const PAUSE_MS = 1_000;
const notLoaded = new Set<Load<unknown>>();

/**
 * Code of pages and dialogs that is not there from the start. It comes when it is first shown, or sooner, when the page has
 * nothing else to do (`loadAllCode`). While the daemon is away it is not asked for: browsers keep in mind that code could not be
 * loaded, and do not try again. So it fails only where the daemon does not have it, or went away at that very moment.
 */
export function code<Module>(load: Load<Module>): Load<Module> {
  notLoaded.add(load);
  return () => patiently(load);
}

async function patiently<Module>(load: Load<Module>): Promise<Module> {
  await untilReachable();
  try {
    return await taken(load);
  } catch {
    while (!(await isThere())) await change();
    return taken(load).catch(() => {
      throw new Failure(OUTDATED);
    });
  }
}

async function taken<Module>(load: Load<Module>): Promise<Module> {
  const module = await load();
  notLoaded.delete(load);
  return module;
}

const OUTDATED = {
  code: "outdated",
  message: "This part of the dashboard couldn't be loaded.",
  hint: advice("The dashboard was updated, or the connection was lost while loading. Reload the page."),
  status: 0,
};

export function isOutdated(error: unknown): boolean {
  return error instanceof Failure && error.code === OUTDATED.code;
}

/** Whoever does not let this browser in may be another hall at the same address, without this code. */
async function untilReachable(): Promise<void> {
  while (connection.state === "away" || connection.state === "refused") await change();
}

async function isThere(): Promise<boolean> {
  return call("getStatus").then(
    () => true,
    (error) => !isAway(error),
  );
}

/** Of the connection, or a while: the daemon may have come back before anybody looked. */
function change(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unwatch();
      resolve();
    };
    const timer = setTimeout(done, PAUSE_MS);
    const unwatch = connection.watch(done);
  });
}

/** One after the other, each when there is nothing else to do; code that names more code adds to them. What fails is told of where it is shown. */
export async function loadAllCode(): Promise<void> {
  const tried = new Set<Load<unknown>>();
  for (;;) {
    const next = notLoaded.values().find((load) => !tried.has(load));
    if (next === undefined) return;
    tried.add(next);
    await idle();
    await untilReachable();
    await taken(next).catch(() => undefined);
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no such call.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve, 50);
    else requestIdleCallback(() => resolve(), { timeout: 2_000 });
  });
}

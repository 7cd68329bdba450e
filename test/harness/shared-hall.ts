import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type DaemonProcess, launchHall, temporaryFolder } from "./daemon.ts";

/** One daemon process for all tests of a file, each of which keeps to projects and roles of its own. */
export function sharedHall(): () => DaemonProcess {
  let hall: DaemonProcess | undefined;
  const cleanings: (() => Promise<void> | void)[] = [];
  const later = (clean: () => Promise<void> | void) => void cleanings.unshift(clean);
  beforeAll(async () => {
    hall = await launchHall(join(temporaryFolder(later), "workspace"), [], later).ready;
  });
  afterAll(async () => {
    for (const clean of cleanings) await clean();
  });
  return () => {
    if (hall === undefined) throw new Error("the daemon is not up yet");
    return hall;
  };
}

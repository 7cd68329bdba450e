import { join } from "node:path";
import { beforeAll } from "vitest";
import { type DaemonProcess, launchHall, temporaryFolder } from "./daemon.ts";
import { afterAllTests } from "./temporary-folder.ts";

/** One daemon process for all tests of a file, each of which keeps to projects and roles of its own. */
export function sharedHall(): () => DaemonProcess {
  let hall: DaemonProcess | undefined;
  const later = afterAllTests();
  beforeAll(async () => {
    hall = await launchHall(join(temporaryFolder(later), "workspace"), [], later).ready;
  });
  return () => {
    if (hall === undefined) throw new Error("the daemon is not up yet");
    return hall;
  };
}

import { beforeAll } from "vitest";
import { type Hall, startHall } from "./daemon.ts";
import { afterAllTests } from "./temporary-folder.ts";

/**
 * One daemon for all tests of a file, each of which keeps to projects and roles of its own. It runs in the process of the
 * tests, where its code is already warm from the file before.
 */
export function sharedHall(): () => Hall {
  let hall: Hall | undefined;
  const later = afterAllTests();
  beforeAll(async () => {
    hall = await startHall(undefined, { later });
  });
  return () => {
    if (hall === undefined) throw new Error("the daemon is not up yet");
    return hall;
  };
}

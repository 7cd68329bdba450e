import { expect, it } from "vitest";
import { Config } from "./config.ts";

it.each([
  [0, true],
  [1, true],
  [1.5, true],
  [0.001, false],
  [-1, false],
])("a heartbeat every %d minutes is taken: %s", (heartbeatMinutes, isTaken) => {
  expect(Config.safeParse({ projects: { heartbeatMinutes } }).success).toBe(isTaken);
});

import { describe } from "vitest";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { commands } from "./sandbox-commands.ts";
import { containment } from "./sandbox-containment.ts";
import { endings } from "./sandbox-endings.ts";
import { hostileCommands } from "./sandbox-hostile.ts";
import { packages, shownFolders } from "./sandbox-packages.ts";

/** What every sandbox has to do. */
export function sandboxSuite(sandbox: Sandbox): void {
  describe(`${sandbox.name}: commands`, () => commands(sandbox));
  describe(`${sandbox.name}: containment`, () => containment(sandbox));
  describe(`${sandbox.name}: packages of a checkout`, () => packages(sandbox));
  describe(`${sandbox.name}: shown folders`, () => shownFolders(sandbox));
  describe(`${sandbox.name}: endings`, () => endings(sandbox));
  describe(`${sandbox.name}: hostile commands`, () => hostileCommands(sandbox));
}

import type { HallPart } from "../workspace/hall/hall-part.ts";
import { openTriggers, type TriggersOptions } from "./triggers/open-triggers.ts";

/** Wires what starts work without being asked. Nothing is done before `start`. */
export function openAutonomy(options: TriggersOptions) {
  const triggers = openTriggers(options);
  const part: HallPart = { problems: () => triggers.problems() };
  return {
    part,
    triggers: triggers.desk,
    webhooks: triggers.intake,
    start: () => triggers.start(),
    close: () => triggers.close(),
  };
}

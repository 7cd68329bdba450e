import type { HallPart } from "../workspace/hall/hall-part.ts";

/** Wires what starts work without being asked. Nothing is done before `start`. */
export function openAutonomy() {
  const part: HallPart = { problems: () => [] };
  return {
    part,
    start: async () => undefined,
    close: async () => undefined,
  };
}

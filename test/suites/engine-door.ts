import type { Engine } from "../../src/runs/schedule/engine.ts";

/** How the suite reaches an adapter. Worker processes load the same module, so that leases are tried between processes. */
export interface EngineDoor {
  /** A new, empty engine; answers the address under which `openEngine` finds it from any process. */
  prepareEngine(folder: string): Promise<string>;
  /** `now` is given where a test moves the clock; without it time is real. */
  openEngine(address: string, options: { leaseMs: number; now?: () => number }): Promise<Engine>;
}

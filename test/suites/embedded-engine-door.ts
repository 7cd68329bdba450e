import { join } from "node:path";
import { EmbeddedEngine } from "../../src/runs/schedule/embedded-engine.ts";
import { JobTable } from "../../src/store/index/job-table.ts";
import type { EngineDoor } from "./engine-door.ts";

export const door: EngineDoor = {
  prepareEngine: async (folder) => {
    const path = join(folder, "engine.db");
    new JobTable(path).close();
    return path;
  },
  openEngine: async (path, { leaseMs, now = Date.now }) => new EmbeddedEngine(new JobTable(path), { leaseMs, now }),
};

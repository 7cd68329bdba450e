import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Config } from "../../contract/documents/config.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { openHeartbeat } from "./open-heartbeat.ts";

it("ends the sessions of projects that are no longer active, and of no others [S4-TRIG-02]", async () => {
  const open = await openHall({ workspace: temporaryFolder(), clock: () => new Date(), version: "0" });
  const change = { actor: { kind: "person", via: "http" } } as const;
  for (const id of ["busy", "resting"]) await open.hall.projects.create({ id, name: id } as never, change as never);
  await open.hall.projects.move("resting", "suspended", change as never);
  const ended: (string | undefined)[] = [];
  const told = Promise.withResolvers<void>();
  const heartbeat = openHeartbeat({
    ...{ core: open.core, hall: open.hall, config: Config.parse({ heartbeat: { minutes: 30 } }) },
    voice: {
      tellMain: async () => {
        told.resolve();
        return true;
      },
      heardByMain: () => "open",
    },
    processes: { end: async (id) => ended.push(id) },
    briefings: { note: async () => undefined, makeOnce: async () => undefined },
    onTrouble: (_, error) => told.reject(error),
  });
  heartbeat.start();
  await told.promise;
  await heartbeat.close();
  await open.close();
  expect(ended).toEqual(["resting"]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { Places } from "./places.ts";
import type { ProcessExit } from "./project-process.ts";

/** Ends in order once all of its neighbours were asked to end as well, and never else. */
const ENDS_WITH_THE_OTHERS = `
import { readdirSync, writeFileSync } from "node:fs";
process.on("message", ({ type }) => {
  if (type === "init") process.send({ type: "ready", pid: process.pid });
  if (type !== "shutdown") return;
  writeFileSync(\`\${process.env.TMPDIR}/asked-\${process.pid}\`, "");
  const look = setInterval(() => {
    if (readdirSync(process.env.TMPDIR).filter((name) => name.startsWith("asked-")).length < 3) return;
    clearInterval(look);
    process.disconnect();
  }, 10);
});`;

it("stops all processes at once, and knows none of them afterwards [S3-CA-08]", async () => {
  const folder = temporaryFolder();
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, ENDS_WITH_THE_OTHERS.replaceAll("process.env.TMPDIR", JSON.stringify(folder)));
  const exits: (ProcessExit & { projectId: string })[] = [];
  const places = new Places(
    {
      entry,
      gate: { ask: () => Promise.reject(new Error("nobody asks")) },
      limits: { toolCalls: 1 },
      parkAfterMs: 60_000,
      notes: { add: () => undefined, remove: () => undefined },
      placeOf: () => ({
        projectPath: folder,
        workdir: folder,
        web: { userAgent: "Test/1", ports: [80, 443], allow: [] },
      }),
      onDelta: () => undefined,
    } as unknown as ConstructorParameters<typeof Places>[0],
    {
      onMessage: () => undefined,
      onWait: () => undefined,
      onLost: (_works, exit, projectId) => exits.push({ ...exit, projectId }),
    },
  );
  for (const id of ["a", "b", "c"]) {
    const place = places.wake(id);
    if (typeof place === "string") throw new Error(place);
    await place.process.ready();
  }
  await places.stop(undefined, 10_000);
  expect(exits.map(({ projectId }) => projectId).sort()).toEqual(["a", "b", "c"]);
  for (const exit of exits) expect(exit).toMatchObject({ cause: "exit code 0", expected: true });
  expect(places.awake()).toEqual([]);
});

/**
 * Writes escalations as fast as they are acknowledged until it is killed: each change is one line on standard output when it
 * begins and one when it is durable. Its argument is the workspace.
 */
import { openHall } from "../../src/workspace/hall/open-hall.ts";
import { fieldsAt } from "./escalation-load.ts";

const [workspace = ""] = process.argv.slice(2);
const WRITERS = 8;
const change = { actor: { kind: "person" as const, via: "http" as const } };
const { hall } = await openHall({ workspace, clock: () => new Date(), version: "0" });
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function write(): Promise<never> {
  for (;;) {
    const { id } = await hall.escalations.create(fieldsAt(0), change);
    say({ id, version: 0, is: "durable" });
    for (let version = 1; version <= 8; version++) {
      say({ id, version, is: "begun" });
      await hall.escalations.change(
        id,
        (now) => ({ ...now, ...fieldsAt(version) }),
        { type: "escalation.updated" },
        change,
      );
      say({ id, version, is: "durable" });
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, write));

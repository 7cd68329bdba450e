import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { play, withCommandsIn } from "../harness/hall-with-commands.ts";
import { entriesOf, journalOf } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";

const NO_PUSH = `#!/bin/sh
input=$(cat)
case $input in
  *'git push'*) echo "Pushing is not allowed here." >&2; exit 2 ;;
esac
`;

describe.skipIf(!isHere)("hooks", () => {
  let hall: Hall;
  let at: (path: string) => string;
  const later = afterAllTests();
  beforeAll(async () => {
    const hooks = [{ event: "PreToolUse", name: "no-push", command: ["./no-push.sh"], matcher: "exec" }];
    hall = await startHall(undefined, { config: { hooks }, later });
    mkdirSync(join(hall.workspace, "hooks"), { recursive: true });
    writeFileSync(join(hall.workspace, "hooks/no-push.sh"), NO_PUSH, { mode: 0o755 });
    ({ at } = await withCommandsIn(hall, {}, later));
  });

  it("keep a call from happening, and the model reads why", async () => {
    const { run, outputs } = await played(hall, "push", [
      { tool: "exec", input: { command: "echo git push > pushed.txt" } },
      { tool: "exec", input: { command: "echo fine > fine.txt" } },
    ]);
    expect(outputs[0]).toBe("exec failed: Refused by the hook 'no-push': Pushing is not allowed here.");
    expect(outputs[1]).toMatch(/^exec: Exit code 0/);
    expect([existsSync(at("pushed.txt")), existsSync(at("fine.txt"))]).toEqual([false, true]);
    const traces = entriesOf(journalOf(hall.workspace, run.id), "hook");
    expect(traces.map(({ name, outcome, text }) => [name, outcome, text])).toEqual([
      ["no-push", "refused", "Pushing is not allowed here."],
      ["no-push", "allowed", undefined],
    ]);
  });
});

/** A run that makes these calls, one in each turn. */
function played(hall: Hall, name: string, calls: object[]) {
  const turns = [...calls.map((call) => ({ calls: [call] })), { text: "Done." }];
  mkdirSync(join(hall.workspace, "playbooks"), { recursive: true });
  writeFileSync(join(hall.workspace, "playbooks", `${name}.yml`), JSON.stringify({ turns }));
  return play(hall, name, { overrides: { model: `offline/${name}` } });
}

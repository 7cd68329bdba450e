import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { openEventLog } from "../../../test/harness/event-log.ts";
import type { EventDraft } from "../../contract/event.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";
import { readSubscriber, WEBHOOK, writeSubscriber } from "../events/subscriber-state.ts";
import { HEARTBEATS_FILE, STATE_FOLDER } from "../layout.ts";
import { KeptCopies } from "./kept-copies.ts";
import { moveState } from "./move-state.ts";

const POSITION = `${STATE_FOLDER}/notifications.json`;
const HEARTBEATS = `${STATE_FOLDER}/heartbeats.json`;
const BEATS = '{"shop":{"fingerprint":"f","messageId":"m","at":1}}';
const GIVEN_UP = { count: 2, reason: "it answered 404", at: "2026-01-01T00:00:00.000Z" };
const clock = () => new Date();

/** Dies before a given one of the steps that change something on disk. */
class DyingFiles extends Files {
  stepsLeft = Number.POSITIVE_INFINITY;
  override async replace(...given: Parameters<Files["replace"]>): ReturnType<Files["replace"]> {
    this.#step();
    return super.replace(...given);
  }
  override discard(path: string): void {
    this.#step();
    super.discard(path);
  }
  override async syncFolder(path: string): Promise<void> {
    this.#step();
    await super.syncFolder(path);
  }
  #step(): void {
    if (--this.stepsLeft < 0) throw new Error("killed");
  }
}

/** As the version before left it: 2 and 4 were delivered, 3 was not, 1 is before the position, and 7 came after it ended. */
async function oldWorkspace() {
  const files = new DyingFiles(temporaryFolder());
  await files.ensureFolder(STATE_FOLDER);
  await files.ensureFolder("state");
  const events = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  onTestFinished(() => events.close());
  for (const run of ["run-1", "run-2", "run-3", "run-4"]) await events.append(event("run.ended", run));
  await events.append(event("notification.delivered", "run-2", { notification: 2 }));
  await events.append(event("notification.delivered", "run-4", { notification: 4 }));
  await events.append(event("run.ended", "run-7"));
  await files.replace(POSITION, JSON.stringify({ after: 1, givenUp: GIVEN_UP }));
  await files.replace(HEARTBEATS, BEATS);
  return { files, events, copies: new KeptCopies(files, "backups/format-1") };
}

function event(type: EventDraft["type"], run: string, after: Record<string, unknown> = {}): EventDraft {
  return { type, actor: { kind: "daemon", via: "daemon" }, subject: { kind: "run", id: run }, after };
}

function assertMoved(files: Files): void {
  expect(readSubscriber(files, WEBHOOK)).toEqual({
    is: "known",
    state: { format: 1, through: 4, open: [3], dropped: GIVEN_UP },
  });
  expect(files.text(HEARTBEATS_FILE)).toBe(BEATS);
  expect(files.names(STATE_FOLDER)).toEqual([]);
  expect(files.text(`backups/format-1/${HEARTBEATS}`)).toBe(BEATS);
  expect(JSON.parse(files.text(`backups/format-1/${POSITION}`))).toEqual({ after: 1, givenUp: GIVEN_UP });
}

describe("state that an earlier version kept in .guildhall", () => {
  it("is moved once; what was delivered is not open any more", async () => {
    const old = await oldWorkspace();
    const { files } = old;
    await moveState(old);
    assertMoved(files);
    await moveState(old);
    assertMoved(files);
  });

  it("is moved as a whole wherever the daemon dies in between", async () => {
    for (let steps = 0, isDead = true; isDead; steps++) {
      const old = await oldWorkspace();
      const { files } = old;
      files.stepsLeft = steps;
      isDead = await moveState(old).then(
        () => false,
        () => true,
      );
      files.stepsLeft = Number.POSITIVE_INFINITY;
      await moveState(old);
      assertMoved(files);
      expect(steps).toBeLessThan(40);
      if (!isDead) expect(steps).toBeGreaterThan(5);
    }
  });

  it("does not replace what this version has written since", async () => {
    const old = await oldWorkspace();
    const { files } = old;
    await writeSubscriber(files, WEBHOOK, { format: 1, through: 7, open: [] });
    await files.replace(HEARTBEATS_FILE, "{}");
    await moveState(old);
    expect(readSubscriber(files, WEBHOOK)).toMatchObject({ state: { through: 7, open: [] } });
    expect(files.text(HEARTBEATS_FILE)).toBe("{}");
    expect(files.names(STATE_FOLDER)).toEqual([]);
  });

  it("that cannot be read is as good as none, as it was for that version", async () => {
    const old = await oldWorkspace();
    const { files } = old;
    await files.replace(POSITION, "{");
    await moveState(old);
    expect(readSubscriber(files, WEBHOOK)).toEqual({ is: "none" });
    expect(files.exists(POSITION)).toBe(false);
  });
});

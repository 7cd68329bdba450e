import type { Config } from "../contract/documents/config.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { Activity } from "./activity.ts";
import { AutoArchive } from "./auto-archive.ts";
import { Heartbeat, type HeartbeatParts } from "./heartbeat.ts";
import { IdleSuspension, type IdleSuspensionParts } from "./idle-suspension.ts";
import type { Moments } from "./moments.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export interface PolicyOptions {
  core: Core;
  hall: Hall;
  config: Config["projects"];
  voice: Pick<HeartbeatParts, "tell" | "isUnread"> & Pick<IdleSuspensionParts, "isSpokenTo">;
  moments: Pick<Moments, "shutdown">;
  onTrouble: (what: string, error: unknown) => void;
}

/** What the hall does with projects by itself: suspends those that are idle, archives those that are completed, and asks the others to look around. */
export function openPolicies({ core, hall, config, voice, moments, onTrouble }: PolicyOptions) {
  const { clock } = core;
  const activity = new Activity(core);
  const lastActivityOf = (projectId: string) => activity.lastOf(projectId);
  const { suspendAfterDays: afterDays, archiveAfterDays, heartbeatMinutes: everyMinutes } = config;
  const archive = new AutoArchive({ core, projects: hall.projects, clock, afterDays: archiveAfterDays });
  const suspension = new IdleSuspension({
    core,
    projects: hall.projects,
    clock,
    afterDays,
    lastActivityOf,
    isSpokenTo: (projectId) => voice.isSpokenTo(projectId),
    openIn: async (projectId) => (await moments.shutdown({ projectId, reason: "idle" }))?.text,
    tell: (projectId, text, id) => voice.tell(projectId, text, id),
  });
  const heartbeat = new Heartbeat({
    core,
    clock,
    everyMinutes,
    tell: (projectId, text, id) => voice.tell(projectId, text, id),
    isUnread: (projectId, messageId) => voice.isUnread(projectId, messageId),
  });
  const closing = new AbortController();
  const timers = [
    ...(afterDays === 0 ? [] : [now(() => suspension.check(closing.signal), HOUR_MS)]),
    ...(archiveAfterDays === 0 ? [] : [now(() => archive.check(closing.signal), HOUR_MS)]),
    ...(everyMinutes === 0 ? [] : [now(() => heartbeat.beat(closing.signal), MINUTE_MS)]),
  ];
  /** One after the other, at once and then every so often. */
  function now(work: () => Promise<unknown>, everyMs: number): { stop: () => Promise<void> } {
    let under: Promise<unknown> | undefined;
    const go = () => {
      under ??= work()
        .catch((error) => onTrouble("project policies could not be applied", error))
        .finally(() => {
          under = undefined;
        });
    };
    const timer = setInterval(go, everyMs).unref();
    go();
    return {
      stop: async () => {
        clearInterval(timer);
        await under;
      },
    };
  }
  return {
    close: async () => {
      closing.abort();
      activity.close();
      await Promise.all(timers.map(({ stop }) => stop()));
    },
  };
}

import type { ChannelAddress } from "../../contract/documents/channel.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { machineTimezone } from "../briefing/person-day.ts";
import type { Heard } from "./beat-rule.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { Heartbeat, type HeartbeatParts } from "./heartbeat.ts";
import { notesOf } from "./observer.ts";
import { triageText } from "./triage.ts";

export interface HeartbeatOptions {
  core: Core;
  hall: Hall;
  config: Config;
  voice: {
    tellMain(address: ChannelAddress, text: string, id: string): Promise<boolean>;
    heardByMain(address: ChannelAddress, id: string): Heard;
  };
  processes: { end(projectId: string | undefined, withinMs: number): Promise<number> };
  briefings: Pick<HeartbeatParts, "note"> & { makeOnce(): Promise<void> };
  onTrouble: (what: string, error: unknown) => void;
}

/** The conversation in which the main agent is told, apart from those with the person. */
const CHANNEL: ChannelAddress = { type: "http", id: "heartbeat" };
const END_MS = 5_000;

/** Wires the heartbeat of the workspace. Nothing is done before `start`. */
export function openHeartbeat({ core, hall, config, voice, processes, briefings, onTrouble }: HeartbeatOptions) {
  const names = {
    role: (id: string) => core.roles.get(id)?.name,
    title: (projectId: string, id: string) => core.tasks.record(projectId, id)?.title,
    run: (id: string) => core.runs.get(id)?.run,
  };
  const heartbeat = new Heartbeat({
    core,
    minutes: () => config.heartbeat.minutes,
    /** Sessions of agents whose project is suspended or over. */
    clean: async () => {
      for (const id of core.projects.ids()) if (core.projects.status(id) !== "active") await processes.end(id, END_MS);
    },
    notesOf: (events) => notesOf(events, names, config.briefing.timezone ?? machineTimezone()),
    note: (day, lines, also) => briefings.note(day, lines, also),
    brief: () => briefings.makeOnce(),
    main: {
      tell: (id, text) => voice.tellMain(CHANNEL, text, id),
      heard: (id) => voice.heardByMain(CHANNEL, id),
    },
    text: () => triageText({ core, hall }),
    fingerprint: () => fingerprintOf({ core, hall }),
    onTrouble,
  });
  let unsubscribe: () => void = () => undefined;
  return {
    start: () => {
      unsubscribe = core.events.subscribe((event) => heartbeat.heed(event));
      void heartbeat.look();
    },
    close: async () => {
      unsubscribe();
      await heartbeat.close();
    },
  };
}

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { TalkLive } from "../../../src/contract/routes/talk-routes.ts";
import type { Live } from "../../../src/contract/runs/live.ts";
import type { Delta } from "../../../src/contract/runs/model-call.ts";
import { connection } from "./connection.ts";
import type { LiveState } from "./live-reader.ts";

export function useLiveState(): LiveState {
  return useSyncExternalStore(connection.watch, () => connection.state);
}

export function useLive(hear: (live: Live) => void): void {
  const onLive = useEffectEvent(hear);
  useEffect(() => connection.listen((live) => onLive(live)), []);
}

/** What an agent says as it says it, from now on. */
export function useRunDeltas(runId: string, isOn: boolean, hear: (delta: Delta) => void): void {
  useEffect(() => (isOn ? connection.deltasOf(runId) : undefined), [runId, isOn]);
  useLive((live) => {
    if (live.kind === "delta" && live.runId === runId) hear(live.delta);
  });
}

/** A channel (`http:default`, `project:shop`) as it goes on. */
export function useTalk(channel: string, hear: (live: TalkLive) => void): void {
  useEffect(() => connection.talkOf(channel), [channel]);
  useLive((live) => {
    if (live.kind === "talk" && `${live.channel.type}:${live.channel.id}` === channel) hear(live.live);
  });
}

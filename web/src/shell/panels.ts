import { useSyncExternalStore } from "react";
import { watchers } from "../ui/hooks/watchers.ts";

/** What is open over the page, whichever page it is. Talk is beside it and stays while others come and go. */
export type Panel = "chat" | Over | undefined;
/** `choose-folder` creates a project, beginning with its folder. */
export type Over =
  | "palette"
  | "keys"
  | "more"
  | "new-task"
  | "start-agent"
  | "start-team"
  | "new-project"
  | "choose-folder";

/** What the panel is about, where the page knows better than the address. */
export interface Target {
  projectId?: string | undefined;
  taskId?: string | undefined;
}

const NOTHING: Target = {};
let over: Over | undefined;
let target = NOTHING;
/** How often Talk was asked for since it was closed; 0: it is closed. */
let chatCalls = 0;
const { watch, tell } = watchers();

/** Undefined closes what is on top. */
export function showPanel(panel: Panel, about: Target = NOTHING): void {
  if (panel === "chat") chatCalls += 1;
  if (panel === undefined && over === undefined) chatCalls = 0;
  over = panel === "chat" ? undefined : panel;
  target = about;
  tell();
}

export function closeChat(): void {
  chatCalls = 0;
  tell();
}

export function usePanel(): Over | undefined {
  return useSyncExternalStore(watch, () => over);
}

export function usePanelTarget(): Target {
  return useSyncExternalStore(watch, () => target);
}

export function useChatCalls(): number {
  return useSyncExternalStore(watch, () => chatCalls);
}

import { useSyncExternalStore } from "react";
import { watchers } from "../ui/hooks/watchers.ts";

/** What lies over the page, whichever page it is. The chat stands beside it and stays while others come and go. */
export type Panel = "chat" | Over | undefined;
/** `create` asks what to make; `choose-folder` makes a project, beginning with its folder. */
type Over = "palette" | "keys" | "create" | "new-project" | "choose-folder";

let over: Over | undefined;
/** How often the chat was asked for since it was closed; 0: it is closed. */
let chatCalls = 0;
const { watch, tell } = watchers();

/** Undefined closes what lies on top. */
export function showPanel(panel: Panel): void {
  if (panel === "chat") chatCalls += 1;
  if (panel === undefined && over === undefined) chatCalls = 0;
  over = panel === "chat" ? undefined : panel;
  tell();
}

export function closeChat(): void {
  chatCalls = 0;
  tell();
}

export function usePanel(): Over | undefined {
  return useSyncExternalStore(watch, () => over);
}

export function useChatCalls(): number {
  return useSyncExternalStore(watch, () => chatCalls);
}

import { useSyncExternalStore } from "react";
import { hallCommand, programCommand, watchCaller } from "./hall-command.ts";

/** A command line of this hall in a page that may be shown before it is known how the hall is called. */
export function useHallCommand(words: string): string {
  return useSyncExternalStore(watchCaller, () => hallCommand(words));
}

/** The same of a command that needs no hall. */
export function useProgramCommand(words: string): string {
  return useSyncExternalStore(watchCaller, () => programCommand(words));
}

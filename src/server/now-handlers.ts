import type { Now } from "../contract/now.ts";
import type { HandlersOf } from "./handlers.ts";

/** What the server needs for pages that show the hall at a glance. */
export interface NowPort {
  now(): Now;
}

export const nowHandlers = (desk: NowPort): HandlersOf<"getNow"> => ({
  getNow: () => desk.now(),
});

import type { Now } from "../contract/now.ts";
import type { Hall } from "../workspace/hall.ts";
import type { HandlersOf } from "./handlers.ts";

/** What the server needs for pages that show the hall at a glance. */
export interface NowPort {
  now(): Now;
}

export const nowHandlers = (desk: NowPort, hall: Hall): HandlersOf<"getNow" | "listCards"> => ({
  getNow: () => desk.now(),
  listCards: ({ params }) => hall.tasks.cards(params.id),
});

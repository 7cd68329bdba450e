import type { TeamMessage } from "../../contract/documents/teams/team-message.ts";
import type { RouteBody, RouteQuery } from "../../contract/routes/routes.ts";
import { FROM_PERSON, MESSAGE_TYPES, TO_ALL } from "../../contract/words/teams/message-words.ts";
import type { Change } from "../../workspace/change.ts";
import { whoIs } from "../team-start.ts";
import type { TeamBus } from "./team-bus.ts";

/** What the API asks of the messages of teams. */
export class BusDesk {
  readonly #bus: Pick<TeamBus, "list" | "post">;

  constructor(bus: Pick<TeamBus, "list" | "post">) {
    this.#bus = bus;
  }

  list(id: string, { after, limit, member, type }: RouteQuery<"listTeamMessages">): TeamMessage[] {
    return this.#bus.list(id, { after, limit, member, type });
  }

  /** To all members, unless it says to whom. */
  send(id: string, { to = TO_ALL, text }: RouteBody<"sendTeamMessage">, change: Change): Promise<TeamMessage> {
    const from = change.actor.kind === "person" ? FROM_PERSON : whoIs(change.actor);
    const key = change.request === undefined ? undefined : `request/${change.request.key}`;
    return this.#bus.post(id, { from, to, type: MESSAGE_TYPES.message, text, key }, { change });
  }
}

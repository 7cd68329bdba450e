import { queryOptions } from "@tanstack/react-query";
import type { Speaker } from "../../../../src/contract/documents/channel.ts";
import type { Conversation, Said } from "../../../../src/contract/routes/talk-routes.ts";
import { call } from "../../api/client.ts";

interface Range {
  before?: number | undefined;
  limit: number;
}

/** With whom the person speaks, and how. */
export interface TalkPlace {
  /** As the stream names it. */
  channel: string;
  /** The project whose tasks are meant when one is named. */
  projectId: string | undefined;
  /** What each speaker is called here. */
  names: Record<Speaker, string>;
  list(range: Range, signal?: AbortSignal): Promise<Conversation>;
  say(words: { id: string; text: string }): Promise<Pick<Said, "message">>;
  stop(): Promise<{ stopped: boolean }>;
}

export const PAGE = 50;

export const mainPlace: TalkPlace = {
  channel: "http:default",
  projectId: undefined,
  names: { person: "You", main: "Main agent", project: "Project", hall: "Guildhall" },
  list: (query, signal) => call("listChat", { query, signal }),
  say: (body) => call("sendChat", { body }),
  stop: () => call("stopChat", { body: {} }),
};

export function projectPlace(id: string, name: string): TalkPlace {
  const params = { id };
  return {
    channel: `project:${id}`,
    projectId: id,
    names: { person: "You", main: "Main agent", project: name, hall: "Guildhall" },
    list: (query, signal) => call("listProjectMessages", { params, query, signal }),
    say: (body) => call("messageProject", { params, body }),
    stop: () => call("stopProjectAnswer", { params }),
  };
}

export function newestOf(place: TalkPlace) {
  return queryOptions({
    queryKey: ["talk", place.channel],
    queryFn: ({ signal }) => place.list({ limit: PAGE }, signal),
    // What comes after it is heard; a conversation that is opened again asks once more.
    staleTime: 0,
  });
}

import type { ChannelView } from "../../contract/talk-routes.ts";
import type { Action } from "../context.ts";
import { localTime } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

export const channelList: Action<"channel list"> = async (_, { call, output }) => {
  const answer = await call("listChannels", {});
  output.answer(answer, () =>
    answer.channels.length === 0
      ? `Nobody has said anything yet. Say something: ${output.calledAs} chat "Hello"`
      : textTable(columns, answer.channels, output),
  );
  return 0;
};

const columns: Column<ChannelView>[] = [
  { title: "CHANNEL", text: ({ type, id }) => `${type}/${id}`, style: () => "bold" },
  { title: "MESSAGES", text: ({ lastSeq }) => String(lastSeq) },
  {
    title: "OPEN",
    text: ({ open }) => String(open),
    style: ({ open }) => (open > 0 ? "yellow" : undefined),
  },
  { title: "LAST", text: ({ lastAt }) => localTime(lastAt), spare: 1 },
];

import { describe, expect, it } from "vitest";
import { OWNER, updateOf } from "../../../test/harness/telegram-api.ts";
import { arrivalOf } from "./telegram-updates.ts";

const owners = new Set([OWNER]);
const arrival = (message: object) => arrivalOf(updateOf(1, message), owners);

describe("an update", () => {
  it("with a text of the owner is what the person says, a command without the bot's name", () => {
    expect(arrival({ text: " Hello \n" })).toStrictEqual({ kind: "said", chat: String(OWNER), text: "Hello" });
    expect(arrival({ text: "/status@house_bot" })).toMatchObject({ text: "/status" });
  });

  it.each([{ forward_origin: { type: "user" } }, { forward_date: 1 }, { via_bot: { id: 1 } }])(
    "that brings words of others says so: %j",
    (origin) => {
      const text = "[Forwarded by the person; someone else may have written it.]\n/stop";
      expect(arrival({ text: "/stop", ...origin })).toMatchObject({ kind: "said", text, forwarded: true });
    },
  );

  it("without a text is told apart from one that needs no answer", () => {
    expect(arrival({ voice: {}, media_group_id: "7" })).toMatchObject({ kind: "unreadable", what: "a voice message" });
    expect(arrival({ pinned_message: {} })).toEqual({ kind: "nothing" });
    expect(arrival({ text: " \0 " })).toEqual({ kind: "nothing" });
  });

  it("is nobody's when no owners are named", () => {
    expect(arrivalOf(updateOf(1, { text: "Hi" }), new Set())).toEqual({ kind: "stranger", userId: OWNER });
  });
});

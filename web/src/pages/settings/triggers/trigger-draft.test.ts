import { describe, expect, it } from "vitest";
import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import { bodyOf, draftOf, NEW_TRIGGER } from "./trigger-draft.ts";

const trigger = (more: Partial<Trigger>): Trigger => ({
  ...{
    name: "one",
    file: "triggers/one.md",
    etag: "1",
    enabled: true,
    words: "",
    state: "active",
    why: "",
    waiting: 0,
  },
  ...{ late: { policy: "once", within: "1d" }, on: { interval: "1h" }, do: { message: "Hi" } },
  ...more,
});

describe("a trigger in a form", () => {
  it.each<Partial<Trigger>>([
    { on: { cron: "0 7 * * *", timezone: "Europe/Berlin" } },
    { on: { interval: "90s" }, late: { policy: "all", within: "6h" } },
    { on: { webhook: { secretEnv: "SECRET", form: "stripe", events: ["a", "b"] } } },
    { on: { files: ["docs/**", "My notes 🚪/*.md"] }, do: { team: { goal: "Fix it" } } },
    { on: { event: "gate.failed" }, do: { spawn: { roleId: "fixer", title: "Fix", description: "Kept" } } },
    { do: { message: true }, words: "The words are the message." },
    { do: { orchestrate: true } },
  ])("is sent as it was when nothing is changed: $on $do", (more) => {
    const before = trigger(more);
    const { on, do: action, late, words } = before;
    expect(bodyOf(draftOf(before), before)).toEqual({ on, do: action, late, words });
  });

  it("is complete with a name and a message", () => {
    expect(bodyOf({ ...NEW_TRIGGER, message: "Sort the board." })).toEqual({
      on: { cron: "0 7 * * 1-5" },
      do: { message: "Sort the board." },
      late: { policy: "once", within: "1d" },
      words: "",
    });
  });

  it("leaves out what belongs to another source", () => {
    const draft = { ...NEW_TRIGGER, source: "interval" as const, timezone: "UTC", files: "a\n\n b " };
    expect(bodyOf(draft).on).toEqual({ interval: "30m" });
    expect(bodyOf({ ...draft, source: "files" }).on).toEqual({ files: ["a", "b"] });
  });
});

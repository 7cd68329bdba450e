import { describe, expect, it } from "vitest";
import { type DailyEdit, hasBriefing, withBriefing, withNotes } from "./daily-file.ts";

const DAY = "2026-03-02";
const textOf = (edit: DailyEdit) => (edit.ok ? edit.text : `refused: ${edit.reason}`);
const first = textOf(withBriefing(undefined, DAY, "Quiet."));

describe("the file of a day", () => {
  it("gets its briefing and notes, and keeps what a person wrote around them", () => {
    expect(first).toMatch(
      /^# 2026-03-02\n\n<!-- guildhall:briefing [0-9a-f]{8} -->\nQuiet\.\n<!-- \/guildhall:briefing -->\n$/,
    );
    const own = `${first.replace("# 2026-03-02", "# 2026-03-02\n\nCall Ada. 🎉")}\nMy own end`;
    const again = textOf(withBriefing(own, DAY, "Busy."));
    expect(again).toContain("Call Ada. 🎉");
    expect(again).toContain("Busy.\n");
    expect(again).not.toContain("Quiet.");
    expect(again.endsWith("\nMy own end")).toBe(true);
    const noted = textOf(withNotes(textOf(withNotes(again, DAY, ["- ~09:05 one"])), DAY, ["- ~09:10 two"]));
    expect(noted).toContain("## Notes\n\n- ~09:05 one\n- ~09:10 two\n<!-- /guildhall:notes -->");
    expect(noted.startsWith(again.trimEnd())).toBe(true);
    expect(hasBriefing(noted)).toBe(true);
    expect(hasBriefing("# A day\n")).toBe(false);
  });

  it("keeps notes that a person changed, and adds to them", () => {
    const noted = textOf(withNotes(undefined, DAY, ["- ~09:05 one"])).replace("one", "one, which was wrong");
    expect(textOf(withNotes(noted, DAY, ["- ~09:10 two"]))).toContain("one, which was wrong\n- ~09:10 two\n");
  });

  it.each([
    ["edited", first.replace("Quiet.", "Quiet, I think.")],
    ["damaged", first.replace("<!-- /guildhall:briefing -->", "")],
    ["damaged", `${first}${first}`],
    ["damaged", first.replace("<!-- guildhall", "<!-- /guildhall")],
    ["too large", "x".repeat(5_000_001)],
  ])("is left alone when its briefing is %s", (reason, text) => {
    const edit = withBriefing(text, DAY, "Busy.");
    expect(edit).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("takes a briefing again whose line ends an editor changed", () => {
    expect(withBriefing(first.replaceAll("\n", "\r\n"), DAY, "Busy.").ok).toBe(true);
  });
});

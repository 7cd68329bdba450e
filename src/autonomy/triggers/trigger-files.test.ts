import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTrigger } from "./trigger-files.ts";

const file = (front: string, body = "Look.") => `---\n${front}\n---\n${body}\n`;
const right = "on: { interval: 1h }\ndo: { message: true }";

describe("the file of a trigger", () => {
  it.each([
    ["Windows line ends", file(right).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${file(right)}`],
    ["emoji and quotes", file(`description: "Ship it 🚪 'now' — {a: b}"\n${right}`)],
    ["an alias", file("on: &when { interval: 1h }\ndo: { message: true }\nlate: { policy: once }")],
    ["a comment", file(`# hourly\n${right} # always`)],
  ])("is read with %s", (_, text) => {
    expect(parseTrigger(text)).toMatchObject({ file: { on: { interval: "1h" } }, words: "Look." });
  });

  it.each([
    ["no frontmatter", "Look.", 1],
    ["an open fence", `---\n${right}\n`, 1],
    ["a key twice", file(`${right}\non: { interval: 2h }`), 4],
    ["an unknown key", file(`${right}\nshell: rm -rf /`), 4],
    ["a prototype", file(`${right}\n__proto__: { enabled: false }`), 4],
    ["a list for a map", file("- on\n- do"), 2],
    ["a cron of numbers", file("on: { cron: 5 }\ndo: { message: Hi }"), 2],
    ["a cron with a step of 0", file('on: { cron: "*/0 * * * *" }\ndo: { message: Hi }'), 2],
    ["a cron backwards", file('on: { cron: "0 5-3 * * *" }\ndo: { message: Hi }'), 2],
    ["a cron that never comes", file('on: { cron: "0 0 31 4 *" }\ndo: { message: Hi }'), 2],
    ["a date for a cron", file('on: { cron: "2026-01-01T00:00:00" }\ndo: { message: Hi }'), 2],
    ["an endless cron", file(`on: { cron: "${"1,".repeat(90)}1 * * * *x" }\ndo: { message: Hi }`), 2],
    ["a time zone on Mars", file("on: { cron: 0 7 * * *, timezone: Mars/Olympus }\ndo: { message: Hi }"), 2],
    ["an interval of nothing", file("on: { interval: 0s }\ndo: { message: Hi }"), 2],
    ["an interval without an end", file("on: { interval: 999999999d }\ndo: { message: Hi }"), 2],
    ["patterns that explode", file(`on: { files: ["${"{a,b}".repeat(20)}"] }\ndo: { message: Hi }`), 2],
    ["a message without words", file("on: { interval: 1h }\ndo: { message: true }", ""), 3],
  ])("is refused with its line: %s", (_, text, line) => {
    const read = parseTrigger(text);
    expect(read).toMatchObject({ line, reason: expect.stringMatching(/\S/) });
  });

  it("is read or refused, whatever it holds", () => {
    const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.jsonValue());
    const front = fc.record({ on: value, do: value, late: value, enabled: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          front.map((one) => JSON.stringify(one)),
        ),
        (text) => {
          const read = parseTrigger(file(text));
          expect("file" in read || read.reason !== "").toBe(true);
        },
      ),
    );
    const cron = fc.stringMatching(/^[0-9*,/\-LW#? ]{1,40}$/);
    fc.assert(
      fc.property(cron, (pattern) => {
        const read = parseTrigger(file(`on: { cron: ${JSON.stringify(pattern)} }\ndo: { message: Hi }`));
        expect("file" in read || read.line === 2).toBe(true);
      }),
    );
  });
});

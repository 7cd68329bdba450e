import { describe, expect, it } from "vitest";
import { Redactor } from "./redaction.ts";
import { StreamingRedaction } from "./streaming-redaction.ts";

const SECRET = "canary-Zx81kqLw09bVnM";
const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const redactor = new Redactor([{ name: "OWN", value: SECRET }]);

function streamed(text: string, size: number): string {
  const bytes = Buffer.from(text);
  const stream = new StreamingRedaction(redactor);
  let shown = "";
  for (let at = 0; at < bytes.length; at += size) shown += stream.push(bytes.subarray(at, at + size));
  return shown + stream.end();
}

describe("redaction of a stream", () => {
  it.each([1, 3, 7, 64, 65_536])("says in pieces of %i bytes what it says of the whole", (size) => {
    const text = `begin ${SECRET} and TOKEN="${TOKEN}"\nüber ${TOKEN}\t日本 ${SECRET}${SECRET} end`;
    expect(streamed(text, size)).toBe(redactor.text(text));
  });

  it("cuts no secret in a text without any white space, however long", () => {
    for (const secret of [SECRET, TOKEN]) {
      for (const size of [1_000, 16_384, 65_536]) {
        const filler = "x.".repeat(1_234);
        const text = `${filler}${secret},`.repeat(60);
        expect(streamed(text, size)).toBe(redactor.text(text));
      }
    }
  });

  it("holds back what may become a secret, and nothing else", () => {
    const stream = new StreamingRedaction(redactor);
    expect(stream.push(Buffer.from(`on my way\n${SECRET.slice(0, 10)}`))).toBe("on my way\n");
    expect(stream.push(Buffer.from(`${SECRET.slice(10)}\n`))).toBe("[secret: OWN]\n");
  });

  it("takes out first what is not seen inside a secret", () => {
    const stream = new StreamingRedaction(redactor, (text) => text.replaceAll("\u001b[0m", ""));
    const said = stream.push(Buffer.from(`${SECRET.slice(0, 5)}\u001b[0m${SECRET.slice(5)}`)) + stream.end();
    expect(said).toBe("[secret: OWN]");
  });
});

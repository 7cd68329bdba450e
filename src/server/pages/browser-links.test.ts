import { expect, test } from "vitest";
import { hint } from "../../contract/words/hint.ts";
import { BrowserLinks, randomCode } from "./browser-links.ts";

const ORIGIN = "http://127.0.0.1:4777";

function links() {
  const time = { now: Date.parse("2026-03-01T12:00:00Z") };
  let made = 0;
  const known = new BrowserLinks(
    () => new Date(time.now),
    () => `code-${++made}`,
  );
  const refused = (code: string) =>
    expect(() => known.redeem(code)).toThrow(expect.objectContaining({ code: "link_refused" }));
  return { known, time, refused };
}

test("a link has its code where browsers keep it to themselves, and lasts ten minutes", () => {
  const { known } = links();
  expect(known.issue(ORIGIN)).toEqual({ url: `${ORIGIN}/#/enter/code-1`, expiresAt: "2026-03-01T12:10:00.000Z" });
});

test("a code opens once", () => {
  const { known, refused } = links();
  known.issue(ORIGIN);
  known.redeem("code-1");
  refused("code-1");
});

test("a code that nobody gave out, or that is ten minutes old, opens nothing", () => {
  const { known, time, refused } = links();
  refused("");
  known.issue(ORIGIN);
  refused("code-2");
  refused("code-1 ");
  time.now += 10 * 60_000;
  refused("code-1");
});

test("the oldest of more than twenty codes is worth nothing any more", () => {
  const { known, refused } = links();
  for (let at = 0; at < 21; at++) known.issue(ORIGIN);
  refused("code-1");
  known.redeem("code-2");
  known.redeem("code-21");
});

test("a refusal says how to get another link", () => {
  const { known } = links();
  expect(() => known.redeem("x")).toThrow(expect.objectContaining({ hint: hint("browser-link") }));
});

test("codes have 128 bits", () => {
  expect(randomCode()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomCode()).not.toBe(randomCode());
});

import { describe, expect, test } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { cookieHeader, cookieName, makeSession, type PageCredentials, sessionOf } from "./browser-session.ts";

const token = "the-token-of-the-hall";
const now = new Date("2026-03-01T12:00:00Z");
const soon = now.getTime() / 1_000 + 60;
const name = cookieName(4777);
const id = "AAAAAAAAAAAAAAAAAAAAAA";
const session = makeSession({ token, id, expires: soon });

const isSignedIn = (credentials: PageCredentials, own: string, at: Date) =>
  sessionOf(credentials, own, at) !== undefined;

const check = (cookieHeaders: string[], key = session.key, at = now) =>
  isSignedIn({ cookieHeaders, name, key }, token, at);
const jar = (value: string) => `${name}=${value}`;

test("a page with the cookie and its key is signed in until it expires", () => {
  expect(check([jar(session.cookie)])).toBe(true);
  expect(check([jar(session.cookie)], session.key, new Date(soon * 1_000 - 1))).toBe(true);
  expect(check([jar(session.cookie)], session.key, new Date(soon * 1_000))).toBe(false);
});

test("neither half opens anything alone, nor do halves of two sessions", () => {
  const other = makeSession({ token, id: "BBBBBBBBBBBBBBBBBBBBBB", expires: soon });
  expect(check([])).toBe(false);
  expect(check([jar("")])).toBe(false);
  expect(check([jar(session.cookie)], "")).toBe(false);
  expect(check([jar(session.cookie)], session.cookie)).toBe(false);
  expect(check([jar(session.cookie)], session.cookie.split(".")[2])).toBe(false);
  expect(check([jar(session.cookie)], other.key)).toBe(false);
  expect(check([jar(other.cookie)], session.key)).toBe(false);
});

test("an expiry that was changed, another token and no token do not count", () => {
  const [, , seal] = session.cookie.split(".");
  expect(check([jar(`${id}.${soon + 1_000}.${seal}`)])).toBe(false);
  expect(isSignedIn({ cookieHeaders: [jar(session.cookie)], name, key: session.key }, "a-new-token", now)).toBe(false);
  const empty = makeSession({ token: "", id, expires: soon });
  expect(isSignedIn({ cookieHeaders: [jar(empty.cookie)], name, key: empty.key }, "", now)).toBe(false);
});

describe("cookies of our name that others have set", () => {
  test("do not keep a signed-in page out, wherever they stand", () => {
    expect(check([`a=b; ${jar("planted")}; ${jar(session.cookie)}`])).toBe(true);
    expect(check([`${jar(session.cookie)};${jar("planted")}`])).toBe(true);
    expect(check([jar("planted"), "x", jar(session.cookie)])).toBe(true);
  });

  test.each([
    "=",
    ";;;",
    name,
    `${name}=`,
    `x${name}=${session.cookie}`,
    `${name}x=${session.cookie}`,
    `${cookieName(4778)}=${session.cookie}`,
    `${name}="${session.cookie}"`,
    `${name}=${session.cookie}x`,
    `${name}=..`,
    `${name}=${"9".repeat(15_000)}`,
    `${name}=${id}.${"9".repeat(12)}.${"A".repeat(43)}`,
    `${name}=é.\u0000`,
  ])("do not let anybody in: %.60j", (header) => {
    expect(check([header])).toBe(false);
  });

  test("cost little, however many there are", () => {
    const planted = `${id}.${soon}.${"A".repeat(43)}`;
    const computed = cpuTimer();
    expect(check([Array.from({ length: 200 }, () => jar(planted)).join("; ")])).toBe(false);
    expect(computed()).toBeLessThan(200);
  });
});

test("the cookie is for the API alone, out of reach of scripts and of other sites", () => {
  expect(cookieHeader(name, "value", { seconds: 60, secure: false })).toBe(
    "guildhall-4777=value; Path=/api; Max-Age=60; HttpOnly; SameSite=Strict",
  );
});

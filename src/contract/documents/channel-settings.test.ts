import { expect, it } from "vitest";
import { ChannelSettings } from "./channel-settings.ts";

const isTaken = (telegram: object) => ChannelSettings.safeParse({ telegram }).success;

it("lets the token of a bot go over https, or to this machine, and nowhere else", () => {
  const good = ["https://api.telegram.org", "http://127.0.0.1:8081", "http://localhost:1/x", "http://[::1]:8081"];
  const bad = [
    "http://api.telegram.org",
    "http://127.0.0.1.example.com",
    "http://localhost.example",
    "ftp://127.0.0.1",
  ];
  expect(good.map((apiUrl) => isTaken({ apiUrl }))).toEqual(good.map(() => true));
  expect(bad.map((apiUrl) => isTaken({ apiUrl }))).toEqual(bad.map(() => false));
  expect(isTaken({ apiUrl: "https://user:pw@host/" }) || isTaken({ apiUrl: "https://host/?a=1" })).toBe(false);
});

it("takes owners by number only, and no token", () => {
  expect(isTaken({ owners: [42] })).toBe(true);
  for (const owners of [["@ada"], [-100], [1.5], 42]) expect(isTaken({ owners })).toBe(false);
  expect(isTaken({ botTokenEnv: "123:abc" }) || isTaken({ token: "123:abc" })).toBe(false);
});

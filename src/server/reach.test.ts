import { describe, expect, test } from "vitest";
import { configuredAddresses, NO_REACH, pairingAddress } from "./reach.ts";

const plain = { ...NO_REACH, allowPlainHttp: true };

describe("the address for a phone", () => {
  test.each([
    ["https://hall.example.org", NO_REACH, "https://hall.example.org"],
    ["https://hall.tail1.ts.net:8443/", NO_REACH, "https://hall.tail1.ts.net:8443"],
    ["http://192.168.1.5:4777", plain, "http://192.168.1.5:4777"],
    ["http://[fd00::5]:4777", plain, "http://[fd00::5]:4777"],
  ])("may be %s", (publicUrl, reach, origin) => {
    expect(pairingAddress({ ...reach, publicUrl })).toBe(origin);
  });

  test.each([
    [undefined, plain],
    ["http://192.168.1.5:4777", NO_REACH],
    ["http://8.8.8.8", plain],
    ["http://hall.lan", plain],
    ["http://192.168.1.5.nip.io", plain],
    ["http://localhost.attacker.invalid", plain],
  ])("may not be %s", (publicUrl, reach) => {
    const asked = () => pairingAddress(publicUrl === undefined ? reach : { ...reach, publicUrl });
    expect(asked).toThrow(expect.objectContaining({ code: "pair_refused" }));
  });
});

test("only encrypted or accepted addresses are answered", () => {
  const reach = { ...NO_REACH, publicUrl: "https://Hall.example.org", allowedHosts: ["hall.lan:8443", "10.0.0.5"] };
  expect(configuredAddresses(reach)).toEqual({
    hosts: ["hall.example.org", "hall.lan:8443", "10.0.0.5", "hall.lan:8443", "10.0.0.5"],
    origins: ["https://hall.example.org", "https://hall.lan:8443", "https://10.0.0.5"],
  });
  expect(configuredAddresses({ ...reach, allowPlainHttp: true }).origins).toContain("http://10.0.0.5");
  expect(configuredAddresses({ ...NO_REACH, publicUrl: "http://192.168.1.5:4777" })).toEqual({
    hosts: [],
    origins: [],
  });
});

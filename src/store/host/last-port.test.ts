import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { keepPort, lastPort } from "./last-port.ts";

it("the port that was used last is kept for its owner, and known again", () => {
  const folder = temporaryFolder();
  expect(lastPort(folder)).toBeUndefined();
  keepPort(folder, 40_123);
  keepPort(folder, 40_124);
  expect(lastPort(folder)).toBe(40_124);
  expect(statSync(join(folder, "port")).mode & 0o777).toBe(0o600);
});

it.each(["", " \n", "80", "65536", "4777.5", "0x1269z", "-4777", "NaN"])("%j is no port that was kept", (text) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "port"), text);
  expect(lastPort(folder)).toBeUndefined();
});

it("is not written through a link, and where it cannot be kept nothing fails", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "elsewhere"), "mine");
  symlinkSync("elsewhere", join(folder, "port"));
  keepPort(folder, 40_123);
  expect(readFileSync(join(folder, "elsewhere"), "utf8")).toBe("mine");
  mkdirSync(join(folder, "other/port"), { recursive: true });
  keepPort(join(folder, "other"), 40_123);
  expect(lastPort(join(folder, "other"))).toBeUndefined();
  expect(existsSync(join(folder, "other/port"))).toBe(true);
});

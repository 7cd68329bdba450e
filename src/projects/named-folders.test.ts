import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { unnamed } from "./named-folders.ts";

const home = "/home/pat";
const why = (folder: string, ...texts: string[]) => unnamed(folder, { texts, home });

it("a folder is named when the person wrote exactly this path, however they put it", () => {
  const texts = [
    "Use /srv/data/shop.",
    "in '/srv/data/shop', please",
    "(/srv/data/shop/)",
    "workdir=/srv/data/shop",
    "`/srv/data/shop`: that one",
    "first /srv/data/shop-old, no: /srv/data/shop",
  ];
  for (const text of texts) expect([text, why("/srv/data/shop", text)]).toEqual([text, undefined]);
  expect(why("/srv/data/shop/", "/srv/data/shop")).toBeUndefined();
  expect(why("/home/pat/code", "in ~/code")).toBeUndefined();
});

it("a part of a path, one that goes on, or one that somebody else wrote is not", () => {
  const texts = ["Make it in /srv/data/shop/web-1.2, and look at https://example.org/etc/passwd and ~/code/x"];
  for (const folder of ["/srv", "/srv/data", "/srv/data/shop", "/srv/data/shop/web", "/srv/data/shop/web-1", "/data"])
    expect([folder, why(folder, ...texts)]).toEqual([folder, "the person has not named it"]);
  for (const folder of ["/etc", "/etc/passwd", "/home/pat/code"])
    expect([folder, why(folder, ...texts)]).toEqual([folder, "the person has not named it"]);
  expect(why("/srv/data/shop/web-1.2", ...texts)).toBeUndefined();
});

it("no folder is named by detours, and none that holds the person's home, also not by a link", () => {
  const text = "/srv/data/../.. and /srv//data and ./x and / and /home and /home/pat";
  for (const folder of ["/srv/data/../..", "/srv//data", "./x", "x", ""])
    expect([folder, why(folder, text)]).toEqual([folder, "it is not a plain absolute path"]);
  for (const folder of ["/", "/home", "/home/pat"])
    expect([folder, why(folder, text)]).toEqual([folder, "it holds all that the person has"]);
  const base = temporaryFolder();
  mkdirSync(join(base, "home/pat"), { recursive: true });
  symlinkSync(join(base, "home"), join(base, "link"));
  const linked = join(base, "link");
  expect(unnamed(linked, { texts: [linked], home: join(base, "home/pat") })).toBe("it holds all that the person has");
});

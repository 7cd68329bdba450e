import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ordinaryFolder } from "../../test/harness/temporary-folder.ts";
import { unnamed } from "./named-folders.ts";

const home = "/home/pat";
const why = (folder: string, text: string) => unnamed(folder, { text, home });

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
  const text = "Make it in /srv/data/shop/web-1.2, and look at https://example.org/opt/x/passwd and ~/code/x";
  for (const folder of ["/srv/data", "/srv/data/shop", "/srv/data/shop/web", "/srv/data/shop/web-1", "/data"])
    expect([folder, why(folder, text)]).toEqual([folder, "the person's message does not name it"]);
  for (const folder of ["/opt/x", "/opt/x/passwd", "/home/pat/code"])
    expect([folder, why(folder, text)]).toEqual([folder, "the person's message does not name it"]);
  expect(why("/srv/data/shop/web-1.2", text)).toBeUndefined();
});

it("no folder is named by detours, and none that holds the person's home, also not by a link", () => {
  const text = "/srv/data/../.. and /srv//data and ./x and / and /home and /home/pat";
  for (const folder of ["/srv/data/../..", "/srv//data", "./x", "x", ""])
    expect([folder, why(folder, text)]).toEqual([folder, "it is not a plain absolute path"]);
  for (const folder of ["/", "/home", "/home/pat"])
    expect([folder, why(folder, text)]).toEqual([folder, "it contains all of the person's files"]);
  const base = ordinaryFolder();
  mkdirSync(join(base, "home/pat"), { recursive: true });
  symlinkSync(join(base, "home"), join(base, "link"));
  const linked = join(base, "link");
  expect(unnamed(linked, { text: linked, home: join(base, "home/pat") })).toBe("it contains all of the person's files");
});

it.each([
  ["/etc", "it belongs to the system"],
  ["/etc/ssl/private", "it belongs to the system"],
  ["/usr/lib/node", "it belongs to the system"],
  ["/srv", "it contains more than one project"],
  ["/tmp", "it contains more than one project"],
  ["/home/pat/.ssh", "it is a hidden folder in the person's home, which contains keys and settings"],
  ["/home/pat/.config/gh", "it is a hidden folder in the person's home, which contains keys and settings"],
])("%s is refused, whatever is written", (folder, reason) => {
  expect(why(folder, `Use ${folder}`)).toBe(reason);
});

it("a link to a hidden folder at home, or to one of the system, is refused like the folder", () => {
  const base = ordinaryFolder();
  const pat = join(base, "home/pat");
  mkdirSync(join(pat, ".ssh"), { recursive: true });
  symlinkSync(join(pat, ".ssh"), join(base, "keys"));
  symlinkSync("/etc", join(base, "settings"));
  const refusal = (folder: string) => unnamed(folder, { text: folder, home: pat });
  expect(refusal(join(base, "keys"))).toContain("hidden folder");
  expect(refusal(join(base, "settings"))).toBe("it belongs to the system");
});

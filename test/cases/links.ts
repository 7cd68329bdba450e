import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Something in a folder that leads, or seems to lead, where an agent has no business; `outside` is a folder beside it. */
export interface Trap {
  name: string;
  set(inside: string, outside: string): void;
  /** Paths below `inside` by which one would get there. */
  paths: string[];
}

const link = (target: string, name: string) => (inside: string) => symlinkSync(target, join(inside, name));

export const traps: Trap[] = [
  { name: "a link to a file of the system", set: link("/etc/passwd", "l"), paths: ["l"] },
  { name: "a link to a folder of the system", set: link("/etc", "d"), paths: ["d/passwd", "d/guildhall-new", "d"] },
  {
    name: "a link to a file outside",
    set: (inside, outside) => symlinkSync(join(outside, "secret"), join(inside, "l")),
    paths: ["l"],
  },
  {
    name: "a link to nothing yet",
    set: (inside, outside) => symlinkSync(join(outside, "new.txt"), join(inside, "l")),
    paths: ["l"],
  },
  {
    name: "a link to a link outside",
    set: (inside, outside) => {
      symlinkSync("b", join(inside, "a"));
      symlinkSync(outside, join(inside, "b"));
    },
    paths: ["a/secret", "a/new.txt", "b/secret", "b/deep/er/new.txt", "a", "b"],
  },
  {
    name: "a relative link outside",
    set: link("../outside", "d"),
    paths: ["d/secret", "d/new.txt", "d/folder/new.txt", "d"],
  },
  { name: "a link to itself", set: link("c", "c"), paths: ["c", "c/x"] },
  { name: "a link to the temporary folder", set: link("/tmp", "tmp"), paths: ["tmp/guildhall-new", "tmp"] },
  {
    name: "another name for a file of secrets",
    set: (inside) => {
      writeFileSync(join(inside, ".env"), "KEY=canary\n");
      symlinkSync(".env", join(inside, ".env-alias"));
      symlinkSync(".env", join(inside, "settings.txt"));
    },
    paths: [".env-alias", "settings.txt", ".env"],
  },
  {
    name: "another name for a folder of secrets",
    set: (inside) => {
      mkdirSync(join(inside, ".ssh"));
      writeFileSync(join(inside, ".ssh/config"), "canary\n");
      symlinkSync(".ssh", join(inside, "keys"));
    },
    paths: ["keys/config", "keys/new", "keys"],
  },
  {
    name: "a second name of a file outside",
    set: (inside, outside) => linkSync(join(outside, "secret"), join(inside, "h")),
    paths: ["h"],
  },
  { name: "a pipe", set: (inside) => void execFileSync("mkfifo", [join(inside, "f")]), paths: ["f"] },
];

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { assertWorkdir } from "./workdir.ts";

const of = { root: "/home/ada/.guildhall", projectId: "shop" };

it.each([
  "/",
  "/home",
  "/home/ada",
  "/home/ada/.guildhall",
  "/home/ada/.guildhall/projects/other",
  "/home/ada/.guildhall/.guildhall",
])("keeps agents out of %s, from where they would reach what is not theirs [S0-SEC-02]", (workdir) => {
  expect(() => assertWorkdir(workdir, of)).toThrow(/agents cannot work in/);
});

it.each([undefined, null, "/home/ada/shop", "/home/ada/.guildhall-2", "/home/ada/.guildhall/projects/shop/code"])(
  "lets them work in %s",
  (workdir) => {
    expect(() => assertWorkdir(workdir, of)).not.toThrow();
  },
);

it("looks at where a link leads", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "workspace"));
  symlinkSync(folder, join(folder, "workspace", "up"));
  const workdir = join(folder, "workspace/up");
  expect(() => assertWorkdir(workdir, { root: join(folder, "workspace"), projectId: "shop" })).toThrow(
    /contains the workspace/,
  );
});

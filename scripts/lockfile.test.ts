import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { root } from "./source-files.ts";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      engines: z.unknown().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const { packages } = Lockfile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));

it("the lockfile names no registry, so that everyone's own is used", () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it("the lockfile lists the packages of every platform, as npm ci refuses it otherwise", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

it("the lockfile has the engines of no package, as npm ci would warn about each on Node.js 20", () => {
  const named = Object.entries(packages).filter(([path, { engines }]) => path !== "" && engines !== undefined);
  expect(named.map(([path]) => path)).toEqual([]);
});

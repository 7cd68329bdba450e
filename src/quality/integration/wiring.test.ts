import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryTrees } from "../../../test/fakes/memory-trees.ts";
import { firstRed } from "./bisect.ts";
import { aliasesOf, mustBeWired, unwiredFiles } from "./wiring.ts";

const isTest = (path: string) => path.includes(".test.");

async function unwired(files: Record<string, string>, added: string[]): Promise<string[]> {
  const trees = new MemoryTrees();
  // Memory searches with JavaScript's expressions.
  const search = (tree: string, pattern: string) => trees.search(tree, pattern.replaceAll("[:space:]", "\\s"));
  const tree = trees.add({ ...Object.fromEntries(added.map((path) => [path, "export const x = 1;\n"])), ...files });
  const source = { search, read: trees.read.bind(trees), paths: trees.paths.bind(trees) };
  return unwiredFiles({ trees: source, checks: { isTest }, tree }, added);
}

describe("the wiring of new files", () => {
  it.each([
    ['import { x } from "./new.ts";'],
    ['import { x } from "./new";'],
    ["import {\n  x,\n} from './new.js';"],
    ['import "./new.ts";'],
    ['const x = await import("./new.ts");'],
    ['const x = await import(\n  "./new.ts"\n);'],
    ['const x = require("./new");'],
    ['export * from "./new.ts";'],
    ['export { x } from "./new.js";'],
    ['new Worker(new URL("./new.ts", import.meta.url));'],
    ['import { x } from "../src/new.ts";'],
    ['import { x } from "@/new";'],
    ['import { x } from "#src/new.js";'],
  ])("[S1-IG-09] is seen in %j", async (text) => {
    expect(await unwired({ "src/main.ts": `${text}\n` }, ["src/new.ts"])).toEqual([]);
  });

  it.each([
    ['// import { x } from "./new.ts";'],
    ['import { x } from "./newer.ts";'],
    ['import { x } from "./other/new.ts";'],
    ['const text = "./new.ts is a file";'],
    ["new();"],
  ])("[S1-IG-10] is not seen in %j, and a file without importers is unwired", async (text) => {
    expect(await unwired({ "src/main.ts": `${text}\n` }, ["src/new.ts"])).toEqual(["src/new.ts"]);
  });

  it("[S1-IG-10] needs more than a test or the file itself", async () => {
    const files = { "src/new.test.ts": 'import { x } from "./new.ts";\n', "src/new.ts": 'import "./new.ts";\n' };
    expect(await unwired(files, ["src/new.ts"])).toEqual(["src/new.ts"]);
  });

  it.each([
    ["src/cart.ts", true],
    ["src/cart.tsx", true],
    ["src/cart.js", true],
    ["src/cart.jsx", true],
    ["src/cart.py", false],
    ["src/cart.css", false],
    ["src/cart.test.ts", false],
    ["vite.config.ts", false],
    [".eslintrc.js", false],
    ["src/index.ts", false],
    ["src/types.d.ts", false],
    ["src/cart.stories.tsx", false],
  ])("[S1-IG-08] is asked of %s: %s", (path, expected) => {
    expect(mustBeWired(path, isTest)).toBe(expected);
  });

  it("finds folders by their index, compiled names, aliases and programs", async () => {
    expect(await unwired({ "src/main.ts": 'import "./cart";\n' }, ["src/cart/index.ts", "src/cart/total.ts"])).toEqual([
      "src/cart/total.ts",
    ]);
    const config = {
      "tsconfig.json": '{ // paths\n "compilerOptions": { "baseUrl": ".", "paths": { "cart": ["src/new.ts"], }, } }',
    };
    expect(await unwired({ ...config, "src/main.ts": 'import "cart";\n' }, ["src/new.ts"])).toEqual([]);
    expect(await unwired({ ...config, "src/main.ts": 'import "src/new";\n' }, ["src/new.ts"])).toEqual([]);
    expect(await unwired({ "package.json": '{"scripts": {"seed": "node tools/seed.js"}}' }, ["tools/seed.js"])).toEqual(
      [],
    );
    expect(await unwired({ "index.html": '<script src="/src/app.tsx"></script>' }, ["src/app.tsx"])).toEqual([]);
    expect(await unwired({ "tools/run.js": "#!/usr/bin/env node\n" }, ["tools/run.js"])).toEqual([]);
  });

  it("reads aliases of a tsconfig in a folder, and none of a broken one", () => {
    const text = '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}';
    expect(aliasesOf(text, "web")).toEqual([{ pattern: "@/*", targets: ["web/src/*"] }]);
    expect(aliasesOf("{ broken", ".")).toEqual([]);
  });
});

describe("the search for the first part that breaks the whole", () => {
  it("finds it with few tries, wherever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.nat(), async (count, seed) => {
        const culprit = seed % count;
        let tries = 0;
        const found = await firstRed(count, async (parts) => {
          tries++;
          return parts > culprit;
        });
        expect(found).toBe(culprit);
        expect(tries).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      }),
    );
  });

  it("finds none where a judgement can't be made", async () => {
    expect(await firstRed(5, async () => undefined)).toBeUndefined();
    expect(await firstRed(0, async () => true)).toBeUndefined();
  });
});

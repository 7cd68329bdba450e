import { expect, it } from "vitest";
import { filesOfCommand, filesOfSettings } from "./command-files.ts";

const treeOf = (files: Record<string, string>) => ({
  paths: new Set(Object.keys(files)),
  text: async (path: string) => files[path],
});

it.each([
  ["make test", ["Makefile"]],
  ["CI=1 make -C . test && sh ./ci/run.sh --fast", ["Makefile", "ci/run.sh"]],
  ["'ci/run.sh'", ["ci/run.sh"]],
  ["node ci/all.js", ["ci/all.js"]],
  ["npm test", ["ci/run.sh"]],
  ["npm run check", ["ci/all.js"]],
  ["npm run endless", []],
  // Programs that are tests themselves, and what names tests, may change.
  ["node check.js", []],
  ["python test_all.py", []],
  ["mocha lib/some.js", []],
  ["mocha -r lib/some.js spec", ["lib/some.js"]],
  ["node --import ./lib/some.js --test lib/other.js", ["lib/some.js"]],
  ["cargo test", []],
  // What is only looked at is judged itself.
  ["cat ci/all.js; ! grep -q error ci/run.sh", []],
  ["LC_ALL=C /usr/bin/grep -c x ci/run.sh && test -f ci/all.js", []],
  ["cat ci/all.js | sh ci/run.sh", ["ci/run.sh"]],
])("%s is decided by %j", async (command, expected) => {
  const scripts = {
    test: "sh ci/run.sh",
    check: "npm run inner",
    inner: "node ci/all.js",
    endless: "npm run endless",
  };
  const names = ["Makefile", "ci/run.sh", "ci/all.js", "check.js", "test_all.py", "lib/some.js", "lib/other.js"];
  const files = Object.fromEntries(names.map((name) => [name, ""]));
  expect(await filesOfCommand(treeOf({ ...files, "package.json": JSON.stringify({ scripts }) }), "", command)).toEqual(
    expected,
  );
});

it("names what settings take in, and what that takes in", async () => {
  const base = treeOf({
    "web/vitest.config.ts": "",
    "web/shared.ts": 'import { more } from "../more.js";\n',
    "more.js": "",
    "web/setup.ts": "",
    "web/src/code.ts": "",
    "web/test/setup.ts": "",
  });
  const text = `import { defineConfig } from "vitest/config";
import { shared } from "./shared";
export default defineConfig({ test: { setupFiles: [
  "./setup.ts",
  "./test/setup.ts",
], alias: { "@": "./src/code.ts" } } });`;
  expect(await filesOfSettings(base, "web", text)).toEqual(["web/shared.ts", "web/setup.ts", "more.js"]);
  expect(await filesOfSettings(base, "web", '{"setupFiles":["<rootDir>/setup.ts"]}')).toEqual(["web/setup.ts"]);
  expect(await filesOfSettings(base, "web", "require:\n  - ./shared.ts\n  - setup.ts\n")).toEqual([
    "web/shared.ts",
    "web/setup.ts",
    "more.js",
  ]);
});

it("ends where settings take in each other", async () => {
  const base = treeOf({ "a.js": 'import "./b.js";', "b.js": 'import "./a.js";' });
  expect((await filesOfSettings(base, "", 'import "./a.js";')).toSorted()).toEqual(["a.js", "b.js"]);
});

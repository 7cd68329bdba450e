import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.ts";

/**
 * Run it after `npm install`.
 *
 * npm leaves the packages of other platforms out of the lockfile when the registry at hand does not have them, and then
 * `npm ci` refuses that lockfile everywhere. This adds them by their exact version, without a hash. The platform is read
 * from the package's name, as these packages all do.
 *
 * npm also copies every package's `engines` into the lockfile, and `npm ci` warns about each one that excludes the Node.js
 * of the person who installs. The program runs on the Node.js that the packages bring, so these warnings are false.
 */
interface Package {
  version?: string;
  dev?: boolean;
  engines?: unknown;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32", "wasi"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "x64", "wasm32"];

function platformOf(name: string): Pick<Package, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.includes("linux") && words.includes("gnu")
      ? ["glibc"]
      : [];
  return { ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }), ...(os.length > 0 && { os }) };
}

const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Package> };
for (const [place, entry] of Object.entries(lock.packages)) if (place !== "") delete entry.engines;
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (place === "" || `node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages)
      continue;
    lock.packages[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);

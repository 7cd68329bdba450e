import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "../../node_modules");
const cache = join(modules, ".cache");

export interface Chromium {
  executablePath: string;
  /** With libraries and fonts of its own: the machine needs none. */
  env: Record<string, string>;
}

/** A real Chromium out of an npm package, unpacked once. */
export async function unpackedChromium(): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8"));
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executablePath: join(folder, "chromium"),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_PATH: join(folder, "fonts"),
    },
  };
}

/** The package unpacks into the system's temporary folder, and its libraries only where it believes to be at home. */
async function unpackInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "chromium-"));
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV };
  Object.assign(process.env, { TMPDIR: partial, AWS_EXECUTION_ENV: "nodejs24.x" });
  const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
  } finally {
    restore({ ...before, LD_LIBRARY_PATH, FONTCONFIG_PATH });
  }
  writeFileSync(join(partial, "fonts/fonts.conf"), fontsConf(folder));
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Somebody else was faster.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The package's own looks for its fonts where the package is at home. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir>
<dir>/usr/share/fonts</dir><cachedir>${folder}/fonts-cache</cachedir><config></config></fontconfig>`;
}

function restore(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

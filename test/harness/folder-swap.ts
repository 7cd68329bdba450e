import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** In turn the folder itself, and each of the links, stand under the one name. */
const SWAP = `
  import { renameSync, symlinkSync } from "node:fs";
  const [root, name, ...targets] = process.argv.slice(1);
  process.chdir(root);
  let extra = 0;
  const links = targets.map((target, at) => { symlinkSync(target, ".link-" + at); return ".link-" + at; });
  // Whoever writes may make the folder anew in the moment in which it is away.
  const put = (from, to) => {
    for (;;) try { return renameSync(from, to); } catch { renameSync(to, ".extra-" + extra++); }
  };
  process.stdout.write("0\\n");
  for (let count = 1; ; count++) {
    for (const link of links) {
      put(name, ".aside"); put(link, name);
      put(name, link); put(".aside", name);
    }
    if (count % 500 === 0) process.stdout.write(count + "\\n");
  }`;

export interface FolderSwap {
  /** Ends it, with the folder back in its place or not; answers how often it went round, to the last few hundred. */
  stop(): Promise<number>;
}

/** Another process that swaps a folder and links as fast as it can. */
export async function swapFolder(root: string, name: string, targets: readonly string[]): Promise<FolderSwap> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SWAP, root, name, ...targets], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let rounds = 0;
  child.stdout.on("data", (chunk) => {
    rounds = Number(String(chunk).trim().split("\n").at(-1));
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return {
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
      return rounds;
    },
  };
}

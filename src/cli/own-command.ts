import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { PROGRAM_FOLDER } from "../program.ts";

const NAME = "guildhall";
const OWN_FILE = join(PROGRAM_FOLDER, `bin/${NAME}`);

/** How a person calls this very program: by its name where a shell finds it by that, else by its path. */
export function ownCommand(env: NodeJS.ProcessEnv, file = OWN_FILE): string {
  const own = realPath(file) ?? file;
  return foundByName(env) === own ? NAME : own.replace(/[^\w./@%+=:,-]/gu, "\\$&");
}

/** npm puts folders of its own before a person's PATH, which hold for as long as its command runs. */
function foundByName(env: NodeJS.ProcessEnv): string | undefined {
  const isOfNpm = (folder: string) => env.npm_execpath !== undefined && folder.endsWith("/node_modules/.bin");
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const file = join(folder, NAME);
    if (isAbsolute(folder) && !isOfNpm(folder) && isExecutable(file)) return realPath(file);
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

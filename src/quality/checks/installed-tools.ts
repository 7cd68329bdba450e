import { homedir } from "node:os";
import { isThere, realPlaceOf } from "../../store/files/folders.ts";
import { smallText } from "../../store/files/regular-file.ts";
import { findProgram } from "../../store/host/programs.ts";
import { recordOf } from "./check-settings.ts";
import { type Installed, inFolder } from "./detection/plan.ts";
import { parsedJson } from "./formats/parsed.ts";

const LOCKFILES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "node_modules/.package-lock.json"];
const VENVS = [".venv", "venv"];

interface Options {
  /** The person's checkout, where packages are installed; absolute. */
  checkout: string | undefined;
  /** Whether a Python can import a module. */
  canImport: (python: string, module: string) => Promise<boolean>;
}

/** Looks at the person's own checkout and at PATH. Nothing is run but to ask a Python for a module. */
export function installedTools({ checkout, canImport }: Options): Installed {
  const modules = new Map<string, Promise<boolean>>();
  const at = (path: string) => (checkout === undefined ? undefined : `${checkout}/${path}`);
  const isHere = (path: string) => {
    const absolute = at(path);
    return absolute !== undefined && isThere(absolute);
  };
  const program = (name: string) => findProgram(name, process.env.PATH ?? "");
  return {
    home: homedir(),
    program,
    nodeProgram: (folder, name) => {
      const holder = upwards(folder).find((one) => isHere(inFolder(one, `node_modules/.bin/${name}`)));
      if (holder === undefined || checkout === undefined) return undefined;
      // A folder that is a link is not lent to commands, so they would not find it.
      const packages = inFolder(holder, "node_modules");
      if (realPlaceOf(`${checkout}/${packages}`) !== `${realPlaceOf(checkout)}/${packages}`) return undefined;
      const bin = inFolder(holder, `node_modules/.bin/${name}`);
      const locks = LOCKFILES.map((file) => `${checkout}/${inFolder(holder, file)}`);
      const manifest = smallText(`${checkout}/${inFolder(holder, `node_modules/${name}/package.json`)}`);
      const { version } = recordOf(parsedJson(manifest ?? "")) ?? {};
      return {
        path: `${wayUp(folder, holder)}node_modules/.bin/${name}`,
        witnesses: [realPlaceOf(`${checkout}/${bin}`), ...locks.filter(isThere)],
        ...(typeof version === "string" ? { version } : {}),
      };
    },
    python: (folder) => {
      for (const holder of upwards(folder))
        for (const venv of VENVS) {
          const path = inFolder(holder, `${venv}/bin/python`);
          if (isHere(path))
            return {
              path: `${wayUp(folder, holder)}${venv}/bin/python`,
              witnesses: [`${checkout}/${path}`, `${checkout}/${inFolder(holder, venv)}/pyvenv.cfg`],
            };
        }
      const name = ["python3", "python"].find((one) => program(one) !== undefined);
      return name === undefined ? undefined : { path: name, witnesses: [realPlaceOf(program(name) ?? "")] };
    },
    hasPythonModule: (python, module) => {
      // One of a virtual environment says so itself: it is found only where the command runs.
      if (python.includes("/")) return Promise.resolve(true);
      const key = `${python} ${module}`;
      const known = modules.get(key) ?? canImport(python, module);
      modules.set(key, known);
      return known;
    },
  };
}

/** A folder and those around it, up to the root. */
function upwards(folder: string): string[] {
  const slash = folder.lastIndexOf("/");
  return folder === "" ? [""] : [folder, ...upwards(slash === -1 ? "" : folder.slice(0, slash))];
}

function wayUp(folder: string, holder: string): string {
  const depth = (path: string) => (path === "" ? 0 : path.split("/").length);
  return "../".repeat(depth(folder) - depth(holder)) || "./";
}

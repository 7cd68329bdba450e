import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes.ts";
import type { Action } from "../context.ts";
import { fileOrInput } from "../input.ts";
import { manyLines, oneLine } from "../plain-text.ts";

type Imported = Pick<RouteResponse<"importRole">, "role" | "notes"> & { file: string };
type Failed = { file: string; error: string };

/** Of a folder, a file that cannot be taken over does not keep the others from it. */
export const roleImport: Action<"role import"> = async ({ path, replace, id }, context) => {
  const { output } = context;
  const { files, isFolder } = await filesAt(path);
  if (isFolder && id !== undefined)
    throw new HallError("usage", "--id is for one file.", { hint: "Name the file, not its folder." });
  const imported: Imported[] = [];
  const failed: Failed[] = [];
  for (const file of files) {
    try {
      const text = await fileOrInput(file, context.host);
      const body = { text, replace: replace === true, ...(id === undefined ? {} : { id }) };
      const { role, notes } = await context.call("importRole", { body });
      imported.push({ file, role, notes });
    } catch (error) {
      if (!isFolder || !(error instanceof HallError)) throw hinted(error);
      const how = error.code === "already_exists" ? " Change it with --replace." : "";
      failed.push({ file, error: `${error.message}${how}` });
    }
  }
  output.answer({ imported, failed }, () =>
    [
      ...imported.flatMap(({ file, role, notes }) => [
        `Imported the role ${role.id} from ${oneLine(file)}: ${role.skills.join(", ") || "no tools"}.`,
        ...notes.map((note) => `  ${oneLine(note)}`),
      ]),
      ...failed.map(({ file, error }) => `${output.paint("red", "not imported:")} ${oneLine(file)}  ${oneLine(error)}`),
      ...(files.length === 0 ? [`There are no .md files in ${oneLine(path)}.`] : []),
    ].join("\n"),
  );
  return failed.length === 0 ? 0 : 4;
};

export const roleExport: Action<"role export"> = async ({ role: id, to, force }, context) => {
  const { call, output, host } = context;
  const answer = await call("exportRole", { params: { id } });
  const notes = answer.notes.map((note) => `  ${oneLine(note)}`);
  if (to === undefined) {
    // A file gets it as it is; on a terminal it might have come with what a terminal acts on.
    output.row(answer, () => (host.out.isTerminal ? manyLines(answer.text) : answer.text).trimEnd());
    return 0;
  }
  const file = await write(to, { ...answer, force: force === true });
  output.answer({ ...answer, file }, () => [`Wrote ${oneLine(file)}.`, ...notes].join("\n"));
  return 0;
};

async function filesAt(path: string): Promise<{ files: string[]; isFolder: boolean }> {
  const [{ readdirSync, statSync }, { join }] = await Promise.all([import("node:fs"), import("node:path")]);
  const isFolder = path !== "-" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return { files: [path], isFolder };
  const names = readdirSync(path).filter((name) => name.endsWith(".md") && !name.startsWith("."));
  return { files: names.sort().map((name) => join(path, name)), isFolder };
}

/** A file that is there already is somebody's work. */
async function write(folder: string, file: { name: string; text: string; force: boolean }) {
  const [{ mkdirSync, writeFileSync }, { join }] = await Promise.all([import("node:fs"), import("node:path")]);
  const path = join(folder, file.name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, file.text, { flag: file.force ? "w" : "wx" });
    return path;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code !== "EEXIST") throw new HallError("usage", `'${path}' cannot be written (${code}).`);
    throw new HallError("already_exists", `'${path}' is there already.`, { hint: "Write over it with --force." });
  }
}

function hinted(error: unknown): unknown {
  if (!(error instanceof HallError) || error.code !== "already_exists") return error;
  return new HallError("already_exists", error.message, { hint: "Change it with --replace, or give --id." });
}

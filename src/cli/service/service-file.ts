import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { WRITTEN_BY } from "./service-plan.ts";

/** Whether this program wrote the file; `foreign`: someone else did, and it is not touched. */
export function serviceFileState(file: string): "missing" | "own" | "foreign" {
  try {
    return readFileSync(file, "utf8").includes(WRITTEN_BY) ? "own" : "foreign";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "missing";
    throw failed(`Can't read ${file}`, error);
  }
}

export function writeServiceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch (error) {
    throw failed(`Can't write ${file}`, error);
  }
}

export function removeServiceFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw failed(`Can't remove ${file}`, error);
  }
}

function failed(what: string, error: unknown): HallError {
  return new HallError("storage_failed", `${what}: ${errorText(error)}`, {
    hint: "Check the folder's permissions and the free disk space.",
  });
}

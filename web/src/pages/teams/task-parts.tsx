import { visibleLine } from "../../ui/text/visible-text.ts";

const MOST_IDS = 4;
const MOST_FILES = 3;

/** The requirements that a task covers, by id. */
export function Requirements({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <span className="font-mono text-xs text-faint" title={ids.join(", ")}>
      <span className="sr-only">Covers </span>
      {ids.slice(0, MOST_IDS).join(" ")}
      {ids.length > MOST_IDS && ` +${ids.length - MOST_IDS}`}
    </span>
  );
}

/** The files that a task expects to change. */
export function FileNames({ files }: { files: readonly string[] }) {
  if (files.length === 0) return <span>files not known</span>;
  return (
    <span className="min-w-0 font-mono wrap-anywhere" title={files.map(visibleLine).join("\n")}>
      <span className="sr-only">Files: </span>
      {files.slice(0, MOST_FILES).map(visibleLine).join(", ")}
      {files.length > MOST_FILES && ` +${files.length - MOST_FILES}`}
    </span>
  );
}

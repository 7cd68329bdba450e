import { ShieldAlert } from "lucide-react";
import type { ControlFile } from "../../../../../src/contract/documents/control-file.ts";
import {
  CONTROL_IN_FOLDER,
  CONTROL_KINDS,
  CONTROL_REASONS,
  type ControlKind,
} from "../../../../../src/contract/documents/control-patterns.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";

const NAMES: Record<ControlKind, string> = {
  agent: "Agent instructions and settings",
  ci: "CI",
  editor: "Editor settings",
  git: "Git settings and submodules",
  hook: "Hooks",
  "package-manager": "Package manager",
};
const MOST_LISTED = 20;

/** What a person should look at before everything else, and why. */
export function ControlFileList({ files, isInFolder }: { files: readonly ControlFile[]; isInFolder: boolean }) {
  if (files.length === 0) return null;
  return (
    <section aria-label="Files that control your tools" className="rounded-lg bg-warn-soft px-4 py-3 text-sm">
      <h2 className="flex items-center gap-2 font-semibold text-warn">
        <ShieldAlert size={16} aria-hidden className="shrink-0" />
        Check these first: they control your tools
      </h2>
      {isInFolder && <p className="mt-1 text-ink">{CONTROL_IN_FOLDER}</p>}
      <dl className="mt-2 flex flex-col gap-3">
        {CONTROL_KINDS.map((kind) => (
          <Kind key={kind} kind={kind} files={files.filter((file) => file.kind === kind)} />
        ))}
      </dl>
    </section>
  );
}

function Kind({ kind, files }: { kind: ControlKind; files: readonly ControlFile[] }) {
  if (files.length === 0) return null;
  return (
    <div>
      <dt className="text-ink">
        <strong>{NAMES[kind]}.</strong> {CONTROL_REASONS[kind]}
      </dt>
      {files.slice(0, MOST_LISTED).map(({ path, change }) => (
        <dd key={path} className="mt-0.5 flex gap-2 pl-3">
          <code className="min-w-0 text-xs leading-5 break-all text-ink">{visibleLine(path)}</code>
          <span className="shrink-0 text-xs leading-5 text-faint">{change}</span>
        </dd>
      ))}
      {files.length > MOST_LISTED && <dd className="pl-3 text-faint">and {files.length - MOST_LISTED} more</dd>}
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { buttonLook } from "../../../ui/button.tsx";
import { Ago, sizeText } from "../../../ui/figures.tsx";
import { useOpenEntry } from "../project-id.ts";
import { shelfName } from "./document-kind.ts";

/** A list beside the entry that is open; on a phone one or the other. */
export function Shelf({ list, children }: { list: ReactNode; children: ReactNode }) {
  const isOpen = useOpenEntry() !== undefined;
  return (
    <div className="grid min-w-0 items-start gap-4 md:grid-cols-[17rem_minmax(0,1fr)]">
      <div className={`flex min-w-0 flex-col gap-3 ${isOpen ? "max-md:hidden" : ""}`}>{list}</div>
      <div className={`min-w-0 rounded-lg border border-line bg-card ${isOpen ? "" : "max-md:hidden"}`}>{children}</div>
    </div>
  );
}

export interface ShelfFile {
  path: string;
  /** The name of the file, unless it has a better one. */
  title?: string | undefined;
  size: number;
  updatedAt: string;
  summary?: string | undefined;
}

interface GroupProps {
  title: string;
  files: readonly ShelfFile[];
  /** The path of the one beside the list. */
  shown: string | undefined;
}

export function ShelfGroup({ title, files, shown }: GroupProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h2 className="text-xs font-semibold text-faint">{title}</h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-card">
        {files.map((file) => (
          <ShelfLink key={file.path} file={file} isShown={file.path === shown} />
        ))}
      </ul>
    </section>
  );
}

function ShelfLink({
  file: { path, title = shelfName(path), size, updatedAt, summary },
  isShown,
}: {
  file: ShelfFile;
  isShown: boolean;
}) {
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="."
        search={{ view: path }}
        data-row
        className={`block px-3 py-2 outline-offset-[-2px] ${isShown ? "bg-accent-soft" : "hover:bg-sunk"}`}
      >
        <bdi className="block truncate text-sm font-medium" title={path}>
          {title}
        </bdi>
        {summary !== undefined && <span className="line-clamp-2 text-xs text-faint">{summary}</span>}
        <span className="flex justify-between gap-2 text-xs text-faint">
          <Ago at={updatedAt} />
          <span>{sizeText(size)}</span>
        </span>
      </Link>
    </li>
  );
}

/** What is open, with what can be done about it. */
export function Opened({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <article aria-label={title}>
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <Link
          to="."
          search={{}}
          aria-label="Back to the list"
          className={`${buttonLook({ kind: "ghost", size: "icon" })} -ml-2 md:hidden`}
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold" title={title}>
          <bdi>{title}</bdi>
        </h2>
        {actions}
      </header>
      <div className="p-4">{children}</div>
    </article>
  );
}

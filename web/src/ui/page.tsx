import { type ReactNode, useEffect } from "react";

/** A page's head and body; its title is also the tab's, after what needs the person. */
export function Page({
  title,
  actions,
  children,
  lead,
  isTall = false,
}: {
  title: string;
  actions?: ReactNode;
  lead?: ReactNode;
  /** As high as the window at least, for what has its place at the bottom of it. */
  isTall?: boolean;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div
      className={`mx-auto flex w-full max-w-6xl flex-col gap-4 px-4 py-5 sm:px-6 ${isTall ? "min-h-dvh max-md:min-h-[calc(100dvh-6.25rem)]" : ""}`}
    >
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead !== undefined && <div className="text-sm text-faint">{lead}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

let needs = 0;
let page = "Guildhall";

function show(): void {
  const name = page === "Guildhall" ? page : `${page} · Guildhall`;
  document.title = needs > 0 ? `(${needs}) ${name}` : name;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    page = title;
    show();
  }, [title]);
}

/** How many things wait for the person, in front of the tab's title. */
export function useNeedsInTitle(count: number): void {
  useEffect(() => {
    needs = count;
    show();
  }, [count]);
}

export function Section({
  title,
  count,
  actions,
  children,
}: {
  title: string;
  count?: number | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {count !== undefined && <span className="text-xs text-faint">{count}</span>}
        {actions !== undefined && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-lg border border-line bg-card ${className}`}>{children}</div>;
}

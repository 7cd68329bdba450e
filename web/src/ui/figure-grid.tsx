import type { ReactNode } from "react";

/** A few figures side by side, four where there is room. */
export function FigureGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4"
    >
      {children}
    </section>
  );
}

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-card px-4 py-2.5">
      <p className="text-xs text-faint">{name}</p>
      <p className="text-base font-semibold tabular-nums">{children}</p>
    </div>
  );
}

/** What stands beside a figure and says less. */
export function Small({ children }: { children: ReactNode }) {
  return <span className="ml-1.5 text-xs font-normal text-faint">{children}</span>;
}

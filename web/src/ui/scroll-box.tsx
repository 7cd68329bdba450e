import type { ReactNode } from "react";

/** Something long in a box of its own; a keyboard reaches it and scrolls it. */
export function ScrollBox({
  label,
  children,
  className = "",
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
      tabIndex={0}
      className={`overflow-auto rounded-lg border border-line bg-sunk p-3 ${className}`}
    >
      {children}
    </section>
  );
}

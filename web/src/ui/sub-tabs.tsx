import type { ReactNode } from "react";

/** The look of a link in `SubTabs`. */
export const subTabLook =
  "shrink-0 rounded-md px-2.5 py-1 text-sm whitespace-nowrap text-faint hover:bg-sunk hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent";

/** Links to the parts of a page. On a phone they scroll sideways to the edge of the screen. */
export function SubTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-4 flex gap-1 overflow-x-auto px-4 sm:-mx-6 sm:px-6">
      {children}
    </nav>
  );
}

import type { ComponentProps } from "react";

interface ScrollBoxProps extends Omit<ComponentProps<"section">, "aria-label" | "tabIndex"> {
  label: string;
  /** `plain` is a box of which nothing is seen; the others have an edge. */
  look?: keyof typeof looks;
}

const looks = {
  sunk: "overflow-auto rounded-lg border border-line bg-sunk p-3",
  text: "overflow-auto rounded-md border border-line bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap",
  card: "overflow-auto rounded-lg border border-line bg-card px-3",
  plain: "overflow-y-auto overscroll-contain",
};

/** Something long in a box of its own; a keyboard reaches it and scrolls it. */
export function ScrollBox({ label, look = "sunk", className = "", ...rest }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section aria-label={label} tabIndex={0} className={`${looks[look]} ${className}`} {...rest} />
  );
}

import type { ComponentProps, ReactNode } from "react";

const kinds = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-card text-ink border-line hover:bg-sunk",
  ghost: "border-transparent text-faint hover:bg-sunk hover:text-ink",
  danger: "bg-card text-bad border-line hover:bg-bad-soft",
} as const;

const sizes = { normal: "h-8 px-3 text-sm", small: "h-7 px-2 text-xs", icon: "size-8 justify-center" } as const;

export interface ButtonLook {
  kind?: keyof typeof kinds;
  size?: keyof typeof sizes;
}

/** The look of a button, for links that look like one. */
export function buttonLook({ kind = "plain", size = "normal" }: ButtonLook = {}): string {
  return `inline-flex items-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-60 ${kinds[kind]} ${sizes[size]}`;
}

export interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** Something is under way: it cannot be pressed again. */
  busy?: boolean;
}

export function Button({
  kind = "plain",
  size = "normal",
  busy = false,
  className = "",
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`${buttonLook({ kind, size })} ${className}`}
    >
      {children}
    </button>
  );
}

/** A button that shows only a picture; what it does is its label. */
export function IconButton({
  label,
  children,
  ...rest
}: Omit<ButtonProps, "children"> & { label: string; children: ReactNode }) {
  return (
    <Button kind="ghost" size="icon" title={label} aria-label={label} {...rest}>
      {children}
    </Button>
  );
}

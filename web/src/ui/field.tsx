import { type ComponentProps, type ReactNode, useId } from "react";

const look =
  "w-full rounded-md border border-edge bg-card px-2.5 py-1.5 text-sm text-ink placeholder:text-faint aria-invalid:border-bad";

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is for those who do not see what stands around it. */
  hideLabel?: boolean;
}

function Frame({ id, label, hint, error, hideLabel, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-faint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

function described(id: string, { hint, error }: Around) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids === "" ? undefined : ids, "aria-invalid": error !== undefined || undefined };
}

export function TextField({
  label,
  hint,
  error,
  hideLabel,
  className = "",
  ...rest
}: Around & ComponentProps<"input">) {
  const id = useId();
  const around = { label, hint, error, ...(hideLabel ? { hideLabel } : {}) } as Around;
  return (
    <Frame id={id} {...around}>
      <input id={id} type="text" {...described(id, around)} {...rest} className={`${look} h-8 ${className}`} />
    </Frame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  className = "",
  ...rest
}: Around & ComponentProps<"textarea">) {
  const id = useId();
  const around = { label, hint, error, ...(hideLabel ? { hideLabel } : {}) } as Around;
  return (
    <Frame id={id} {...around}>
      <textarea id={id} rows={4} {...rest} {...described(id, around)} className={`${look} ${className}`} />
    </Frame>
  );
}

export function SelectField({ label, hint, error, hideLabel, children, ...rest }: Around & ComponentProps<"select">) {
  const id = useId();
  const around = { label, hint, error, ...(hideLabel ? { hideLabel } : {}) } as Around;
  return (
    <Frame id={id} {...around}>
      <select
        id={id}
        {...rest}
        {...described(id, around)}
        className={`${look} h-8 pr-7 text-ellipsis ${hideLabel ? "max-w-56" : ""}`}
      >
        {children}
      </select>
    </Frame>
  );
}

export function CheckField({ label, hint, ...rest }: { label: string; hint?: ReactNode } & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input id={id} type="checkbox" {...rest} className="mt-0.5 size-4 accent-accent" />
      <label htmlFor={id} className="text-sm">
        {label}
        {hint !== undefined && <span className="block text-xs text-faint">{hint}</span>}
      </label>
    </div>
  );
}

import { type ComponentProps, type ReactNode, useId } from "react";

const look =
  "w-full rounded-md border border-edge bg-card px-2.5 text-sm text-ink placeholder:text-faint aria-invalid:border-bad";

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is for those who do not see what stands around it. */
  hideLabel?: boolean | undefined;
}

/** What a field needs to be one with what stands around it. */
interface Own {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

function Framed({ label, hint, error, hideLabel, children }: Around & { children: (own: Own) => ReactNode }) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": about || undefined, "aria-invalid": error !== undefined || undefined })}
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

/** What goes around a field, and what into it. */
function apart<Props extends Around>({ label, hint, error, hideLabel, ...rest }: Props) {
  return { around: { label, hint, error, hideLabel }, rest };
}

export function TextField({ className = "", ...props }: Around & ComponentProps<"input">) {
  const { around, rest } = apart(props);
  return (
    <Framed {...around}>
      {(own) => <input type="text" {...rest} {...own} className={`${look} h-8 ${className}`} />}
    </Framed>
  );
}

export function TextArea({ className = "", ...props }: Around & ComponentProps<"textarea">) {
  const { around, rest } = apart(props);
  return (
    <Framed {...around}>
      {(own) => <textarea rows={4} {...rest} {...own} className={`${look} py-1.5 ${className}`} />}
    </Framed>
  );
}

export function SelectField(props: Around & ComponentProps<"select">) {
  const { around, rest } = apart(props);
  return (
    <Framed {...around}>
      {(own) => (
        <select {...rest} {...own} className={`${look} h-8 pr-7 text-ellipsis ${around.hideLabel ? "max-w-56" : ""}`} />
      )}
    </Framed>
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

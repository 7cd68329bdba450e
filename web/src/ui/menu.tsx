import * as Radix from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useState } from "react";

export interface MenuItem {
  label: string;
  onSelect: () => void;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Why it is disabled, or what it does. */
  hint?: string | undefined;
  /** What comes of it, below the label. */
  detail?: string | undefined;
}

/** Not modal: a modal one would put a style sheet into the page, which its policy refuses. */
export function Menu({ trigger, items, label }: { trigger: ReactNode; items: MenuItem[]; label: string }) {
  // What lies outside of an open dialog is out of reach.
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild ref={(element) => setDialog(element?.closest("dialog") ?? null)}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={dialog}>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={4}
          className="z-50 max-h-80 min-w-44 overflow-y-auto rounded-lg border border-line bg-card p-1 shadow-lg"
        >
          {items.map(({ label: text, onSelect, icon, danger, disabled, hint, detail }) => (
            <Radix.Item
              key={text}
              disabled={disabled ?? false}
              onSelect={onSelect}
              title={hint}
              className={`flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:text-faint data-[highlighted]:bg-sunk ${danger ? "text-bad" : ""}`}
            >
              {icon}
              <span>
                {text}
                {detail !== undefined && <span className="block max-w-64 text-xs text-faint">{detail}</span>}
              </span>
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

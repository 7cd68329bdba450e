import { keyCaps } from "../../shell/shortcuts.ts";

export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {keyCaps(keys).map((cap, at) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
          key={at}
          className="min-w-6 rounded border border-line bg-sunk px-1.5 py-0.5 text-center text-xs whitespace-nowrap text-faint"
        >
          {cap}
        </kbd>
      ))}
    </span>
  );
}

import { asCalled } from "../api/hall-command.ts";
import { hintParts } from "./hint-parts.ts";

/** What the daemon says would help. Commands are set apart, for they are nothing that this page does. */
export function Hint({ text }: { text: string }) {
  return hintParts(text).map(({ text: part, isCommand }) =>
    isCommand ? (
      <code key={part} className="rounded bg-sunk px-1 text-ink wrap-anywhere">
        {asCalled(part)}
      </code>
    ) : (
      part
    ),
  );
}

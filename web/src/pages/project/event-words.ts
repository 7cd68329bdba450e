import type { HallEvent } from "../../../../src/contract/event.ts";
import { baseName } from "./document-kind.ts";

/** What happened, in a few words: `Task moved`. */
export function whatHappened(type: string): string {
  const [about = "", deed = ""] = type.split(".");
  return `${about.charAt(0).toUpperCase()}${about.slice(1)} ${DEEDS[deed] ?? deed}`;
}

const DEEDS: Record<string, string> = {
  rolledback: "rolled back to",
  reflected: "of a run looked over",
  crashed: "stopped unexpectedly",
  notified: "has a word for you",
};

/** Who did it. An agent goes by its run, whose number says nothing to a person. */
export function whoDid({ kind }: HallEvent["actor"]): string {
  if (kind === "person") return "you";
  return kind === "daemon" ? "the hall" : "an agent";
}

type Told = Pick<HallEvent, "subject" | "before" | "after">;

const wordOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** What it was about, by the name that people know it by. */
export function whatAbout({ subject, before, after }: Told): string {
  const own = wordOf(after?.title) ?? wordOf(after?.name) ?? wordOf(before?.title) ?? wordOf(before?.name);
  switch (subject.kind) {
    case "run":
      return [wordOf(after?.roleId), wordOf(after?.taskId)].filter(Boolean).join(" on ");
    case "assignment":
      return wordOf(after?.roleId) ?? wordOf(before?.roleId) ?? "";
    case "document":
      return documentName(subject.id);
    case "checkpoint":
      return "";
    default:
      return own === undefined ? subject.id : `${subject.id} ${own}`;
  }
}

/** Without the number of the run that wrote it. */
function documentName(path: string): string {
  return baseName(path).replace(/-run-[0-9a-z]+(?=\.)/, "");
}

/** From which status to which, where it changed; or how it ended. */
export function howItMoved({ before, after }: Pick<HallEvent, "before" | "after">): string | undefined {
  const [from, to] = [wordOf(before?.status), wordOf(after?.status)];
  if (to === undefined || from === to) return undefined;
  return from === undefined ? to : `${from} → ${to}`;
}

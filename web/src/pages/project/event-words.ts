import type { HallEvent } from "../../../../src/contract/event.ts";

/** What happened, in a few words: `Task moved`. */
export function whatHappened(type: string): string {
  const [about = "", deed = ""] = type.split(".");
  const said = DEEDS[deed] ?? deed;
  return `${about.charAt(0).toUpperCase()}${about.slice(1)} ${said}`;
}

const DEEDS: Record<string, string> = {
  rolledback: "rolled back to",
  reflected: "looked back on",
  removed: "removed",
  written: "written",
  crashed: "stopped unexpectedly",
  notified: "told you something",
};

/** Who did it. */
export function whoDid({ kind, id }: HallEvent["actor"]): string {
  if (kind === "person") return "you";
  return kind === "daemon" ? "the hall" : (id ?? "an agent");
}

/** What it was about, by the name that people know it by. */
export function whatAbout({ subject, before, after }: Pick<HallEvent, "subject" | "before" | "after">): string {
  const named = [after, before].map((side) => side?.title ?? side?.name).find((name) => typeof name === "string");
  return named === undefined ? subject.id : `${subject.id} ${named}`;
}

/** From which status to which, where it changed. */
export function howItMoved({ before, after }: Pick<HallEvent, "before" | "after">): string | undefined {
  const [from, to] = [before?.status, after?.status];
  return typeof from === "string" && typeof to === "string" && from !== to ? `${from} → ${to}` : undefined;
}

interface Shortcut {
  keys: string;
  does: string;
}

export const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Anywhere",
    shortcuts: [
      { keys: "mod+k", does: "Search or jump" },
      { keys: "/", does: "Search in everything" },
      { keys: "c", does: "New project, task or role" },
      { keys: "t", does: "Chat with the main agent" },
      { keys: "?", does: "This list" },
      { keys: "Esc", does: "Close what is open" },
    ],
  },
  {
    title: "Go to",
    shortcuts: [
      { keys: "g n", does: "Now" },
      { keys: "g p", does: "Projects" },
      { keys: "g u", does: "Runs" },
      { keys: "g r", does: "Roles" },
      { keys: "g c", does: "Costs" },
      { keys: "g a", does: "Activity" },
      { keys: "g s", does: "Settings" },
    ],
  },
  {
    title: "Lists",
    shortcuts: [
      { keys: "j", does: "Next row" },
      { keys: "k", does: "Row before" },
      { keys: "Enter", does: "Open the row" },
      { keys: "x", does: "Stop the run of the row" },
    ],
  },
  {
    title: "Board",
    shortcuts: [
      { keys: "← ↑ ↓ →", does: "From task to task" },
      { keys: "Shift+←/→", does: "Move the task to the next column" },
      { keys: "m", does: "Move the task to…" },
      { keys: "s", does: "Start an agent on the task" },
    ],
  },
  {
    title: "Run",
    shortcuts: [
      { keys: "a", does: "Approve the result" },
      { keys: "r", does: "Reject the result" },
      { keys: "x", does: "Stop the run" },
      { keys: "1–5", does: "From tab to tab" },
    ],
  },
  {
    title: "Chat",
    shortcuts: [
      { keys: "Enter", does: "Send" },
      { keys: "Shift+Enter", does: "New line" },
    ],
  },
];

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

/** `mod` is the key that commands are given with, which has another name on a Mac. */
export function keyCaps(keys: string): string[] {
  return keys
    .replace("mod", isMac ? "⌘" : "Ctrl")
    .replace(/\+k$/, "+K")
    .split(" ");
}

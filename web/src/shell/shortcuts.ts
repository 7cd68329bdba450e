/** What `keys` lists is heard by useKeys, which takes no others; where it is empty, a field or the browser hears it. */
const TABLE = [
  {
    title: "Anywhere",
    shortcuts: [
      { shown: "mod+k", keys: ["mod+k"], does: "Search or jump" },
      { shown: "/", keys: ["/"], does: "Search everything" },
      { shown: "c", keys: ["c"], does: "New task" },
      { shown: "s", keys: ["s"], does: "Start an agent" },
      { shown: "t", keys: ["t"], does: "Talk to the main agent" },
      { shown: "?", keys: ["?"], does: "Keyboard shortcuts" },
      { shown: "Esc", keys: [], does: "Close dialog or panel" },
    ],
  },
  {
    title: "Go to",
    shortcuts: [
      { shown: "g n", keys: ["g n"], does: "Now" },
      { shown: "g i", keys: ["g i"], does: "Inbox" },
      { shown: "g p", keys: ["g p"], does: "Projects" },
      { shown: "g t", keys: ["g t"], does: "Teams" },
      { shown: "g u", keys: ["g u"], does: "Runs" },
      { shown: "g r", keys: ["g r"], does: "Roles" },
      { shown: "g k", keys: ["g k"], does: "Knowledge" },
      { shown: "g c", keys: ["g c"], does: "Costs" },
      { shown: "g a", keys: ["g a"], does: "Activity" },
      { shown: "g s", keys: ["g s"], does: "Settings" },
    ],
  },
  {
    title: "Inbox",
    shortcuts: [
      { shown: "j", keys: [], does: "Next entry" },
      { shown: "k", keys: [], does: "Previous entry" },
      { shown: "1–9", keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], does: "Choose an answer" },
      { shown: "r", keys: [], does: "Write an answer" },
      { shown: "mod+Enter", keys: [], does: "Send the answer" },
      { shown: "h", keys: [], does: "Let an agent decide" },
      { shown: "s", keys: [], does: "Snooze" },
      { shown: "d", keys: [], does: "Dismiss" },
      { shown: "u", keys: ["u"], does: "Undo" },
      { shown: "o", keys: ["o"], does: "Open what it is about" },
    ],
  },
  {
    title: "Project",
    shortcuts: [
      { shown: "1–6", keys: ["1", "2", "3", "4", "5", "6"], does: "Overview, Board, Work, Talk, Library, Settings" },
    ],
  },
  {
    title: "Lists",
    shortcuts: [
      { shown: "j", keys: ["j"], does: "Next row" },
      { shown: "k", keys: ["k"], does: "Previous row" },
      { shown: "Enter", keys: [], does: "Open the row" },
      { shown: "x", keys: ["x"], does: "Stop the run" },
    ],
  },
  {
    title: "Board",
    shortcuts: [
      {
        shown: "← ↑ ↓ →",
        keys: ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"],
        does: "Move between tasks",
      },
      { shown: "h j k l", keys: ["h", "l"], does: "Move between tasks" },
      { shown: "Shift+←/→", keys: [], does: "Move the task to the next column" },
      { shown: "m", keys: ["m"], does: "Move the task to…" },
      { shown: "s", keys: [], does: "Start an agent on the task" },
      { shown: "x", keys: [], does: "Stop the agent on the task" },
      { shown: "f", keys: ["f"], does: "Filter tasks" },
      { shown: "v", keys: ["v"], does: "Switch board and list" },
    ],
  },
  {
    title: "Task",
    shortcuts: [
      { shown: "e", keys: ["e"], does: "Edit the description" },
      { shown: "m", keys: [], does: "Move the task to…" },
      { shown: "s", keys: [], does: "Start an agent on the task" },
    ],
  },
  {
    title: "Run",
    shortcuts: [
      { shown: "1–6", keys: [], does: "Switch tabs" },
      { shown: "a", keys: ["a"], does: "Approve the result" },
      { shown: "r", keys: ["r"], does: "Request changes" },
      { shown: "d", keys: ["d"], does: "Discard the result" },
      { shown: "j", keys: [], does: "Next changed file" },
      { shown: "k", keys: [], does: "Previous changed file" },
      { shown: "n", keys: ["n"], does: "Next change" },
      { shown: "p", keys: ["p"], does: "Previous change" },
      { shown: "↑ ↓", keys: [], does: "Move between changed lines" },
      { shown: "Enter", keys: [], does: "Comment on the line" },
      { shown: "x", keys: [], does: "Stop the run" },
    ],
  },
  {
    title: "Team",
    shortcuts: [
      { shown: "1–7", keys: [], does: "Switch tabs" },
      { shown: "a", keys: [], does: "Approve the spec or the plan" },
      { shown: "r", keys: [], does: "Request changes" },
    ],
  },
  {
    title: "Talk",
    shortcuts: [
      { shown: "Enter", keys: [], does: "Send" },
      { shown: "Shift+Enter", keys: [], does: "New line" },
    ],
  },
] as const;

interface Shortcut {
  shown: string;
  keys: readonly string[];
  does: string;
}

/** A key that does something somewhere, as useKeys names it. */
export type ShortcutKey = (typeof TABLE)[number]["shortcuts"][number]["keys"][number];

export const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = TABLE;

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

/** `mod` is the key that commands are given with, which has another name on a Mac. */
export function keyCaps(shown: string): string[] {
  return shown
    .replace("mod", isMac ? "⌘" : "Ctrl")
    .replace(/\+k$/, "+K")
    .split(" ");
}

import type { DaemonModule, DashboardBuild, Host, KeyPress, Sink } from "../../src/cli/host.ts";

export interface FakeHost extends Host {
  printed: { out: string; err: string };
  pauses: number[];
  exits: number[];
  opened: string[];
  questions: string[];
  /** Sends the signal a person sends with Ctrl-C. */
  signal: () => void;
  /** Types a text, or presses one key; nothing: the terminal goes away. */
  press: (key?: string | Partial<KeyPress>) => void;
  /** Lets time go on for whatever works again and again. */
  tick: () => void;
}

export interface FakeHostChoice {
  env?: Record<string, string>;
  /** How the program is called. */
  calledAs?: string;
  /** Columns of a terminal; without it the output goes into a pipe. */
  terminal?: number;
  input?: string | Buffer;
  /** What the person answers; without it nobody is there to ask. */
  reply?: string;
  /** A person is at the keyboard. */
  keyboard?: true;
  daemon?: Partial<DaemonModule>;
  /** A build of the dashboard that is needed, as it ends. */
  build?: Promise<DashboardBuild>;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Takes over what works again and again. */
  every?: (work: () => void) => () => void;
  /** Called instead of waiting. */
  pause?: (ms: number) => void | Promise<void>;
}

/** A process in memory. What a test did not provide throws when it is used. */
export function fakeHost(choice: FakeHostChoice = {}): FakeHost {
  const printed = { out: "", err: "" };
  const repeated = new Set<() => void>();
  const host: FakeHost = {
    env: choice.env ?? {},
    calledAs: choice.calledAs ?? "guildhall",
    pid: 4711,
    out: sink(choice.terminal, (text) => (printed.out += text)),
    err: sink(choice.terminal, (text) => (printed.err += text)),
    input: {
      canAsk: choice.reply !== undefined || choice.keyboard === true,
      ask: async (question) => {
        host.questions.push(question);
        return choice.reply ?? "";
      },
      read: async () => {
        if (choice.input === undefined) throw new Error("nothing was expected to be read");
        return Buffer.from(choice.input);
      },
      readPiped: async () => Buffer.from(choice.input ?? ""),
      onKeys: async (handler) => {
        host.press = (key) => {
          const keys = typeof key === "string" ? Array.from(key, (text) => ({ text })) : [key];
          for (const each of keys) handler(each === undefined ? undefined : { ctrl: false, meta: false, ...each });
        };
        return () => {
          host.press = () => {};
        };
      },
    },
    time: {
      now: choice.now ?? (() => 0),
      pause: async (ms) => {
        host.pauses.push(ms);
        await choice.pause?.(ms);
      },
      every: (_, work) => {
        if (choice.every !== undefined) return choice.every(work);
        repeated.add(work);
        return () => repeated.delete(work);
      },
    },
    onSignal: (handler) => {
      host.signal = handler;
    },
    onInterrupt: (handler) => {
      host.signal = handler ?? (() => void host.exits.push(130));
    },
    exit: (code) => void host.exits.push(code),
    tick: () => {
      for (const work of repeated) work();
    },
    buildDashboard: async () => choice.build && { ended: choice.build },
    openBrowser: async (url) => void host.opened.push(url),
    loadDaemon: async () => ({
      startDaemon: unexpected,
      examineAtRest: unexpected,
      checkAtRest: unexpected,
      detectAtRest: unexpected,
      initWorkspace: unexpected,
      lookFirst: unexpected,
      beginAtRest: unexpected,
      keysAtRest: unexpected,
      ...choice.daemon,
    }),
    printed,
    pauses: [],
    exits: [],
    opened: [],
    questions: [],
    signal: () => {},
    press: () => {},
  };
  return host;
}

function sink(columns: number | undefined, write: (text: string) => void): Sink {
  return { write, isTerminal: columns !== undefined, columns, rows: 50 };
}

function unexpected(): never {
  throw new Error("the daemon was not expected to be loaded");
}

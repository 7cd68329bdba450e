import type { Stamp } from "../files/regular-file.ts";
import type { LoggedWrite, Write } from "./change.ts";

/** Where each file of lines ends, lines on their way included. */
export type Ends = Map<string, number>;

/** What an applied write left: a document's new state. */
interface Applied {
  stamp?: Stamp;
}

/** A write that is ready: what may be refused was refused, and nobody sees anything of it yet. */
export interface PreparedWrite {
  write: Write;
  /** Of a line, with its newline. */
  bytes?: Buffer;
  /** Throws ChangedMeanwhile when the file is no longer the one that the write was prepared for. Nothing is awaited. */
  check(): void;
  /** As the log keeps it. Called once, right before the log is written. */
  logged(ends: Ends): LoggedWrite;
  /** Shows it. Nothing is awaited. After a failure it may be called again; ChangedMeanwhile is final. */
  apply(): Applied;
  /** Lets go of what it holds; what was not applied is gone. */
  close(): void;
}

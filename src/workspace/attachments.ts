/**
 * What floors leave to those above them. Before a daemon starts to work it closes this: whatever a floor forgot to attach,
 * or attaches later, ends the start instead of missing in silence.
 */
export class Attachments {
  readonly #all = new Set<Attachment<unknown>>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  add(attachment: Attachment<unknown>): void {
    if (this.#isClosed) throw new Error(`'${attachment.name}' is offered after the start.`);
    this.#all.add(attachment);
  }

  close(): void {
    const missing = [...this.#all].filter(({ isAttached }) => !isAttached).map(({ name }) => `'${name}'`);
    if (missing.length > 0) throw new Error(`Nothing is attached to ${missing.join(", ")}.`);
    this.#isClosed = true;
  }
}

/** One place that a floor above fills, once. */
export class Attachment<Part> {
  readonly name: string;
  readonly #all: Pick<Attachments, "add" | "isClosed">;
  readonly #usual: Part | undefined;
  #part: Part | undefined;

  /** `usual`: what answers where a workspace is open without the floors above, and until they are. */
  constructor(all: Pick<Attachments, "add" | "isClosed">, name: string, usual?: Part) {
    this.name = name;
    this.#all = all;
    this.#usual = usual;
    all.add(this);
  }

  get isAttached(): boolean {
    return this.#part !== undefined;
  }

  get part(): Part {
    const part = this.#all.isClosed ? this.#part : this.#usual;
    if (part === undefined) throw new Error(`'${this.name}' is asked before the start.`);
    return part;
  }

  attach(part: Part): void {
    if (this.isAttached) throw new Error(`'${this.name}' is attached twice.`);
    if (this.#all.isClosed) throw new Error(`'${this.name}' is attached after the start.`);
    this.#part = part;
  }
}

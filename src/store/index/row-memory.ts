/**
 * Rows that were read or written, by their key, as deeply frozen objects: everyone who asks gets the same one. Holds the
 * most recently used ones up to a limit, or all.
 */
export class RowMemory<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get(key: string): Row | undefined {
    const row = this.#rows.get(key);
    if (row !== undefined && this.#most !== Number.POSITIVE_INFINITY) {
      this.#rows.delete(key);
      this.#rows.set(key, row);
    }
    return row;
  }

  keep(key: string, row: Row): Row {
    this.#rows.delete(key);
    this.#rows.set(key, frozen(row));
    if (this.#rows.size > this.#most) this.#rows.delete(this.#rows.keys().next().value ?? key);
    return row;
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  drop(key: string): void {
    this.#rows.delete(key);
  }

  clear(): void {
    this.#rows.clear();
  }
}

export function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part);
  return Object.freeze(value);
}

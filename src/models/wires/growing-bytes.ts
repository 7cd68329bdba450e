const FIRST_SIZE = 1_024;

/** Text in UTF-8 that is only appended to. */
export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;

  /** Valid until more is appended. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Appends an item to a list of items with commas between them. */
  addItem(text: string): void {
    this.#append(this.isEmpty ? text : `,${text}`);
  }

  #append(text: string): void {
    const needed = this.#length + Buffer.byteLength(text);
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.ceil(this.#bytes.length * 1.5)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }
}

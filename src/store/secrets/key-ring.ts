import { statSync } from "node:fs";
import { HallError } from "../../contract/errors.ts";
import type { Files } from "../files/files.ts";
import { Momentary } from "../momentary.ts";
import type { OwnSecrets } from "./own-secrets.ts";
import { assertReadable, loadSecrets, withoutSecret, withSecret, withSecrets } from "./secrets.ts";

interface Parts {
  files: Files;
  /** The secrets file, inside the workspace. */
  path: string;
  environment: Record<string, string | undefined>;
  own: OwnSecrets;
}

/** Keys from the environment and the secrets file. Reads the file again when it has changed. */
export class KeyRing {
  /** Always the same object, with the keys as of the last look. */
  readonly keys: Record<string, string | undefined> = {};
  readonly #parts: Parts;
  readonly #state = new Momentary(() => this.#stampNow());
  #version = 0;
  #stamp = "";
  #warning: string | undefined;
  /** Changes of the file happen one after the other: each begins with what the one before it wrote. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#read();
  }

  /** What the person should know about the file. */
  get warning(): string | undefined {
    return this.#warning;
  }

  /** A number that differs when keys may have changed. A file that cannot be read leaves them as they were. */
  look(): number {
    if (this.#state.now() === this.#stamp) return this.#version;
    try {
      this.#read();
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      this.#stamp = this.#stampNow();
    }
    return this.#version;
  }

  /** A variable of the environment takes precedence over a stored key of the same name. */
  isInEnvironment(name: string): boolean {
    return (this.#parts.environment[name] ?? "") !== "";
  }

  /** Stores a key, readable by its owner only. The change log and the events never contain it. */
  async store(name: string, value: string): Promise<void> {
    this.#parts.own.add([{ name, value }]);
    await this.#write((text) => withSecret(text, name, value));
  }

  async remove(name: string): Promise<void> {
    await this.#write((text) => withoutSecret(text, name));
  }

  #write(change: (text: string) => string): Promise<void> {
    const { files, path } = this.#parts;
    const written = this.#lastWrite.then(async () => {
      const before = files.exists(path) ? files.text(path) : "";
      const after = change(before);
      assertReadable(after);
      await files.replace(path, after);
      this.#read();
    });
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  #read(): void {
    const { files, path, environment, own } = this.#parts;
    this.#stamp = this.#stampNow();
    this.#version++;
    const { values, warning } = loadSecrets(`${files.root}/${path}`);
    this.#warning = warning;
    own.add(Object.entries(values).map(([name, value]) => ({ name, value })));
    const keys = withSecrets(environment, values);
    for (const name of Object.keys(this.keys)) if (!(name in keys)) delete this.keys[name];
    Object.assign(this.keys, keys);
  }

  #stampNow(): string {
    const stats = statSync(`${this.#parts.files.root}/${this.#parts.path}`, { throwIfNoEntry: false });
    return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino} ${stats.mode}`;
  }
}

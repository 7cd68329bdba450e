import { closeSync, constants, fsync, openSync } from "node:fs";
import { promisify } from "node:util";

const fsyncFolder = promisify(fsync);

interface Round {
  current: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * Group commit for folders: one fsync makes every rename before it durable, so calls that arrive while one runs share
 * the next. They must not share the running one: it may have started before their rename.
 */
export class FolderSync {
  readonly #rounds = new Map<string, Round>();

  run(folder: string): Promise<void> {
    const round = this.#rounds.get(folder);
    if (round === undefined) return this.#start(folder);
    round.next ??= round.current.then(
      () => this.#start(folder),
      () => this.#start(folder),
    );
    return round.next;
  }

  #start(folder: string): Promise<void> {
    const current = sync(folder);
    const round: Round = { current, next: undefined };
    this.#rounds.set(folder, round);
    const finish = () => {
      if (this.#rounds.get(folder) === round && round.next === undefined) this.#rounds.delete(folder);
    };
    current.then(finish, finish);
    return current;
  }
}

async function sync(folder: string): Promise<void> {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await fsyncFolder(fd);
  } finally {
    closeSync(fd);
  }
}

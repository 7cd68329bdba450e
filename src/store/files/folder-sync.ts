import { closeSync, constants, fsync, openSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";

const fsyncFolder = promisify(fsync);

interface Round {
  current: Promise<void>;
  hasBegun: boolean;
  next: Promise<void> | undefined;
}

/**
 * Group commit for folders: one fsync makes every rename before it durable, so calls of one turn of the event loop share
 * one, and those that arrive while it runs the next. They must not share the running one: it may have started before
 * their rename.
 */
export class FolderSync {
  readonly #rounds = new Map<string, Round>();

  run(folder: string): Promise<void> {
    const round = this.#rounds.get(folder);
    if (round === undefined) return this.#start(folder);
    if (!round.hasBegun) return round.current;
    round.next ??= round.current.then(
      () => this.#start(folder),
      () => this.#start(folder),
    );
    return round.next;
  }

  #start(folder: string): Promise<void> {
    const round: Round = { current: nextTurn().then(() => begin()), hasBegun: false, next: undefined };
    const begin = () => {
      round.hasBegun = true;
      return sync(folder);
    };
    this.#rounds.set(folder, round);
    const finish = () => {
      if (this.#rounds.get(folder) === round && round.next === undefined) this.#rounds.delete(folder);
    };
    round.current.then(finish, finish);
    return round.current;
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

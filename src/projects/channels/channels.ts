import {
  CHANNEL_TYPES,
  type ChannelAddress,
  ChannelId,
  type ChannelMessage,
} from "../../contract/documents/channel.ts";
import type { Receiver } from "../../contract/documents/channel-line.ts";
import { HallError } from "../../contract/errors.ts";
import type { ChannelView, TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Files } from "../../store/files/files.ts";
import { PROJECTS_FOLDER } from "../../workspace/layout.ts";
import { ChannelFile, channelPath, type NewMessage } from "./channel-file.ts";

type Listener = (live: TalkLive) => void;

interface Parts {
  files: Files;
  clock: () => Date;
  /** One that cannot be read keeps nobody from the others. */
  onTrouble: (what: string, error: unknown) => void;
}

/** Channels that are kept in memory although nothing in them is open. */
const KEPT = 64;

export function keyOf({ type, id }: ChannelAddress): string {
  return `${type}/${id}`;
}

/** All channels: what was said in them is on disk before anybody is told of it. */
export class Channels {
  readonly #parts: Parts;
  readonly #files = new Map<string, ChannelFile>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #asked = 0;
  readonly #everywhere = new Set<(of: ChannelAddress, live: TalkLive) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** To be used at once: who comes back to it later asks again. */
  of(address: ChannelAddress): ChannelFile {
    const key = keyOf(address);
    // The id becomes the name of a file.
    if (!ChannelId.safeParse(address.id).success)
      throw new HallError("invalid", `Unknown channel ${address.type} '${address.id.slice(0, 64)}'.`);
    const file = this.#files.get(key) ?? new ChannelFile(address, this.#parts);
    // The ones that were asked for last stand last.
    this.#files.delete(key);
    this.#files.set(key, file);
    if (++this.#asked % KEPT === 0)
      for (const [name, old] of [...this.#files].slice(0, -KEPT)) if (old.release()) this.#files.delete(name);
    return file;
  }

  /** Those that were asked for lately, and those with something open. */
  loaded(): ChannelFile[] {
    return [...this.#files.values()].filter(({ isLoaded }) => isLoaded);
  }

  /** Durable when it resolves, and told to those who listen. */
  async say(address: ChannelAddress, draft: NewMessage): Promise<{ message: ChannelMessage; isNew: boolean }> {
    const said = await this.of(address).add(draft);
    if (said.isNew) this.tell(address, { kind: "message", message: said.message });
    return said;
  }

  /** The listener must not throw. */
  subscribe(address: ChannelAddress, listener: Listener): () => void {
    const key = keyOf(address);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }

  /** Hears of every channel. The listener must not throw. */
  subscribeAll(listener: (of: ChannelAddress, live: TalkLive) => void): () => void {
    this.#everywhere.add(listener);
    return () => this.#everywhere.delete(listener);
  }

  tell(address: ChannelAddress, live: TalkLive): void {
    for (const listener of this.#listeners.get(keyOf(address)) ?? []) listener(live);
    for (const listener of this.#everywhere) listener(address, live);
  }

  /** Every channel in which something was said, by the files. */
  addresses(): ChannelAddress[] {
    const { files } = this.#parts;
    const ofPeople = CHANNEL_TYPES.filter((type) => type !== "project").flatMap((type) =>
      files
        .names(`channels/${type}`)
        .flatMap((name) => (name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : []))
        .map((id) => ({ type, id })),
    );
    const ofProjects = files
      .folders(PROJECTS_FOLDER)
      .map((id) => ({ type: "project" as const, id }))
      .filter((address) => files.exists(channelPath(address)));
    return [...ofPeople, ...ofProjects].filter(({ id }) => ChannelId.safeParse(id).success);
  }

  /** The channels in which somebody still has something to deal with. Those that are quiet are not kept in memory. */
  withOpen(to: Receiver): ChannelFile[] {
    const found: ChannelFile[] = [];
    for (const file of this.#readable()) {
      if (file.open(to).length > 0) found.push(file);
      else file.release();
    }
    return found;
  }

  views(): ChannelView[] {
    const views: ChannelView[] = [];
    for (const file of this.#readable()) {
      const open = (["main", "project"] as const).reduce((sum, by) => sum + file.open(by).length, 0);
      const { address, lastSeq, lastAt } = file;
      views.push({ ...address, lastSeq, ...(lastAt === undefined ? {} : { lastAt }), open });
    }
    return views;
  }

  *#readable(): Generator<ChannelFile> {
    for (const address of this.addresses()) {
      const file = this.of(address);
      try {
        file.open("main");
      } catch (error) {
        this.#parts.onTrouble(`the channel ${keyOf(address)} cannot be read`, error);
        continue;
      }
      yield file;
    }
  }

  /** Its project is gone. */
  forget(address: ChannelAddress): void {
    this.#files.delete(keyOf(address));
  }
}

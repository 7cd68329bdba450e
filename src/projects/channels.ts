import { CHANNEL_TYPES, type ChannelAddress, ChannelId, type ChannelMessage } from "../contract/channel.ts";
import { HallError } from "../contract/errors.ts";
import type { ChannelView, TalkLive } from "../contract/talk-routes.ts";
import type { Files } from "../store/files.ts";
import { PROJECTS_FOLDER } from "../workspace/layout.ts";
import { ChannelFile, channelPath, type NewMessage, type Receiver } from "./channel-file.ts";

type Listener = (live: TalkLive) => void;

interface Parts {
  files: Files;
  clock: () => Date;
}

export function keyOf({ type, id }: ChannelAddress): string {
  return `${type}/${id}`;
}

/** All channels: what was said in them is on disk before anybody is told of it. */
export class Channels {
  readonly #parts: Parts;
  readonly #files = new Map<string, ChannelFile>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #everywhere = new Set<(of: ChannelAddress, live: TalkLive) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(address: ChannelAddress): ChannelFile {
    const key = keyOf(address);
    // The id becomes the name of a file.
    if (!ChannelId.safeParse(address.id).success)
      throw new HallError("invalid", `There is no channel ${address.type} '${address.id.slice(0, 64)}'.`);
    const file = this.#files.get(key) ?? new ChannelFile(address, this.#parts);
    this.#files.set(key, file);
    return file;
  }

  /** Those that were asked for since the start, and those with something open. */
  loaded(): ChannelFile[] {
    return [...this.#files.values()];
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
    return this.addresses().flatMap((address) => {
      const known = this.#files.has(keyOf(address));
      const file = this.of(address);
      if (file.open(to).length > 0) return file;
      if (!known) this.#files.delete(keyOf(address));
      return [];
    });
  }

  views(): ChannelView[] {
    return this.addresses().map((address) => {
      const file = this.of(address);
      const open = (["main", "project"] as const).reduce((sum, by) => sum + file.open(by).length, 0);
      const { lastSeq, lastAt } = file;
      return { ...address, lastSeq, ...(lastAt === undefined ? {} : { lastAt }), open };
    });
  }

  /** Its project is gone. */
  forget(address: ChannelAddress): void {
    this.#files.delete(keyOf(address));
  }
}

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Device } from "../../contract/documents/device.ts";

const DeviceFile = z.looseObject({ devices: z.array(Device) });
/** How stale the time of the last visit may be on disk. */
const SEEN_STEP_MS = 10 * 60 * 1_000;

/**
 * The paired devices. Only those on the list are let in: a list that is lost, or cannot be read, signs all of them out.
 */
export class Devices {
  readonly #path: string;
  #known: Device[];

  constructor(path: string) {
    this.#path = path;
    this.#known = read(path);
  }

  list(): Device[] {
    return this.#known.map((device) => ({ ...device }));
  }

  has(id: string): boolean {
    return this.#known.some((device) => device.id === id);
  }

  add(device: Device): void {
    this.#save([...this.#known, device]);
  }

  /** Answers whether there was one. */
  remove(id: string): boolean {
    const left = this.#known.filter((device) => device.id !== id);
    if (left.length === this.#known.length) return false;
    this.#save(left);
    return true;
  }

  /** Notes that it was here; the disk is told now and then. */
  seen(id: string, at: Date): void {
    const device = this.#known.find((known) => known.id === id);
    if (device === undefined || at.getTime() - Date.parse(device.lastSeenAt) < SEEN_STEP_MS) return;
    device.lastSeenAt = at.toISOString();
    try {
      this.#save(this.#known);
    } catch {
      // A disk that is full keeps nobody out.
    }
  }

  #save(devices: Device[]): void {
    const draft = `${this.#path}.new`;
    writeFileSync(draft, `${JSON.stringify({ devices }, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
    this.#known = devices;
  }
}

function read(path: string): Device[] {
  try {
    return DeviceFile.parse(JSON.parse(readFileSync(path, "utf8"))).devices;
  } catch {
    return [];
  }
}

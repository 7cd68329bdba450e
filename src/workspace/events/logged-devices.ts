import type { Device } from "../../contract/documents/device.ts";
import type { Devices } from "../../store/secrets/devices.ts";
import { type Core, commit } from "../core.ts";

interface Parts {
  core: Core;
  onTrouble: (what: string, error: unknown) => void;
}

/** The paired devices, with an event for each that is added or removed: a paired device has the person's rights. */
export function loggedDevices(devices: Devices, { core, onTrouble }: Parts) {
  const tell = (type: "device.paired" | "device.removed", { id, name }: Pick<Device, "id" | "name">) => {
    const subject = { kind: "device" as const, id };
    commit(core, { type, actor: { kind: "person", via: "http" }, subject, after: { name } }, () => undefined).catch(
      (error) => onTrouble(`the event ${type} could not be recorded`, error),
    );
  };
  return {
    list: () => devices.list(),
    has: (id: string) => devices.has(id),
    seen: (id: string, at: Date) => devices.seen(id, at),
    add: (device: Device) => {
      devices.add(device);
      tell("device.paired", device);
    },
    remove: (id: string): boolean => {
      const known = devices.list().find((device) => device.id === id);
      if (known === undefined || !devices.remove(id)) return false;
      tell("device.removed", known);
      return true;
    },
  };
}

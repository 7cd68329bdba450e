import type { Device } from "../../contract/documents/device.ts";
import { HallError } from "../../contract/errors.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { HandlersOf } from "../handler.ts";
import { pairingAddress, type Reach } from "../reach.ts";
import type { BrowserLinks } from "./browser-links.ts";

/** The list of devices that were paired. */
export interface PairedDevices {
  list(): Device[];
  has(id: string): boolean;
  add(device: Device): void;
  remove(id: string): boolean;
  seen(id: string, at: Date): void;
}

/** For a daemon that pairs none. */
export const NO_DEVICES: PairedDevices = {
  list: () => [],
  has: () => false,
  add: () => undefined,
  remove: () => false,
  seen: () => undefined,
};

/** In the order in which they are looked for: an Android browser also says Linux. */
const KINDS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android device"],
  [/Macintosh/, "Mac"],
  [/Windows/, "Windows PC"],
  [/Linux/, "Linux PC"],
];

/** What to call a device whose owner gave it no name, by what its browser says of itself. */
export function deviceName(userAgent: string): string {
  return KINDS.find(([sign]) => sign.test(userAgent))?.[1] ?? "Device";
}

interface Parts {
  links: BrowserLinks;
  devices: PairedDevices;
  reach: Reach;
  /** Ends what a device that was removed still listens to. */
  endStreams: () => void;
}

export const pairingHandlers = ({
  links,
  devices,
  reach,
  endStreams,
}: Parts): HandlersOf<"createPairLink" | "listDevices" | "removeDevice"> => ({
  createPairLink: ({ body }) => links.issue(pairingAddress(reach), { kind: "device", name: body.name }),
  listDevices: () => ({ devices: devices.list(), ...addressOf(reach) }),
  removeDevice: ({ params, change }) => {
    assertActorMay(change.actor, "manageKeys");
    if (!devices.remove(params.id)) throw new HallError("device_not_found", `There is no device '${params.id}'.`);
    endStreams();
    return { success: true };
  },
});

function addressOf(reach: Reach): { address: string } | { refused: string } {
  try {
    return { address: pairingAddress(reach) };
  } catch (error) {
    if (error instanceof HallError) return { refused: error.message };
    throw error;
  }
}

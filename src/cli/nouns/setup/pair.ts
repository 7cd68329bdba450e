import type { Device } from "../../../contract/documents/device.ts";
import { HallError } from "../../../contract/errors.ts";
import { hint } from "../../../contract/words/hint.ts";
import { command } from "../../command.ts";
import { oneLine } from "../../text/plain-text.ts";
import { qrCode } from "../../text/qr-code.ts";
import { qrText } from "../../text/qr-text.ts";
import { localTime } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

export const commands = {
  pair: command(
    {
      summary: "Pair a phone with a QR code",
      detail:
        "The code works once, within five minutes. The phone must be able to open server.publicUrl from config.yml, an https:// address of a reverse proxy, 'tailscale serve', or the daemon itself with server.tls. Plain HTTP to a private IP address requires server.allowPlainHttp: true.",
      options: { name: { kind: "text", value: "NAME", help: "Device name" } },
      examples: ["pair", "pair --name 'My phone'"],
    },
    async ({ name }, { call, output, host }) => {
      const answer = await call("createPairLink", { body: { name } });
      const colors = host.out.isTerminal && output.paint("bold", "x") !== "x";
      output.row(answer, () =>
        [
          qrText(qrCode(answer.url), { colors }),
          "",
          `Scan the code with your phone, or open: ${answer.url}`,
          `The link works once, until ${localTime(answer.expiresAt)}.`,
        ].join("\n"),
      );
      return 0;
    },
  ),

  "device list": command({ summary: "List paired devices", examples: ["device list"] }, async (_, { call, output }) => {
    const answer = await call("listDevices", {});
    output.answer(answer, () =>
      answer.devices.length > 0
        ? textTable(columns, answer.devices, output)
        : answer.refused === undefined
          ? `No devices are paired. Pair one: ${output.calledAs} pair`
          : `No devices are paired. ${answer.refused}`,
    );
    return 0;
  }),

  "device remove": command(
    {
      summary: "Sign out and remove a paired device",
      args: { device: { kind: "one", help: "Device id, its first characters, or its name" } },
      examples: ["device remove 'My phone'"],
    },
    async ({ device: asked }, { call, output }) => {
      const { devices } = await call("listDevices", {});
      const { id, name } = oneOf(devices, asked);
      const answer = await call("removeDevice", { params: { id } });
      output.answer(answer, () => `${oneLine(name)} signed out.`);
      return 0;
    },
  ),
};

function oneOf(devices: readonly Device[], asked: string): Device {
  const exact = devices.filter(({ id, name }) => id === asked || name === asked);
  const found = exact.length > 0 ? exact : devices.filter(({ id }) => id.startsWith(asked));
  const [device, ...more] = found;
  if (device !== undefined && more.length === 0) return device;
  if (device === undefined)
    throw new HallError("device_not_found", `No device '${asked}'.`, { hint: hint("device-list") });
  throw new HallError("usage", `'${asked}' matches ${found.length} devices. Pass the id of one.`, {
    hint: hint("device-list"),
  });
}

const columns: Column<Device>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "dim" },
  { title: "NAME", text: ({ name }) => name, style: () => "bold", flexible: true },
  { title: "PAIRED", text: ({ pairedAt }) => localTime(pairedAt), spare: 1 },
  { title: "LAST SEEN", text: ({ lastSeenAt }) => localTime(lastSeenAt) },
];

import { generateKeyPairSync, sign } from "node:crypto";

const bytesOf = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => bytesOf(0x30, ...parts);
const text = (tag: number, value: string) => bytesOf(tag, Buffer.from(value));
/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(bytesOf(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const COMMON_NAME = Buffer.from("550403", "hex");

/** A certificate that nobody vouches for, with its key, made on the spot. */
export function selfSigned(host: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(bytesOf(0x31, sequence(bytesOf(0x06, COMMON_NAME), text(0x0c, host))));
  const validity = sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z"));
  const publicBytes = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(bytesOf(0x02, Buffer.from([1])), ALGORITHM, name, validity, name, publicBytes);
  const signature = bytesOf(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const der = sequence(body, ALGORITHM, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

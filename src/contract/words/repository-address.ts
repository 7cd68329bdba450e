/** Why an address cannot be cloned. */
export type AddressRefusal = "malformed" | "transport" | "unencrypted" | "query";

export interface RepositoryAddress {
  /** Without credentials: what is stored and shown. */
  url: string;
  transport: "https" | "http" | "ssh" | "file";
  credentials?: { username: string; password: string; host: string };
  /** A folder name, from the last part of the address. */
  name: string;
}

export type AddressReading = { address: RepositoryAddress } | { refused: AddressRefusal };

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** `user@host:path`, as ssh has it. No part begins with a dash, which ssh and git would take for an option. */
const SSH_SHORT = /^(?:[A-Za-z0-9_.][\w.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/|[-\\])[^\s:][^\s]*$/;
const UNREADABLE = /[\s\p{Cc}\p{Cf}]/u;

/** Whether a text is meant as an address to clone, not as a folder of this machine. */
export function looksLikeAddress(text: string): boolean {
  const written = text.trim();
  return SCHEME.test(written) || written.includes("::") || SSH_SHORT.test(written);
}

/**
 * Reads the address of a repository. Only transports that start no program of the address's choosing are taken; plain HTTP
 * only on this machine.
 */
export function readAddress(text: string): AddressReading {
  const written = text.trim();
  if (written === "" || written.startsWith("-") || UNREADABLE.test(written)) return { refused: "malformed" };
  if (written.startsWith("/")) return { address: { url: written, transport: "file", name: nameOf(written) } };
  if (/^[a-z0-9+.-]+::/i.test(written)) return { refused: "transport" };
  if (SCHEME.test(written)) return readUrl(written);
  if (!SSH_SHORT.test(written)) return { refused: "malformed" };
  return { address: { url: written, transport: "ssh", name: nameOf(written) } };
}

function readUrl(text: string): AddressReading {
  if (!URL.canParse(text)) return { refused: "malformed" };
  const url = new URL(text);
  const transport = url.protocol.slice(0, -1);
  if (transport === "git" || (transport === "http" && !LOOPBACK.includes(url.hostname)))
    return { refused: "unencrypted" };
  if (transport !== "https" && transport !== "http" && transport !== "ssh" && transport !== "file")
    return { refused: "transport" };
  if (url.search !== "" || url.hash !== "") return { refused: "query" };
  const username = decoded(url.username);
  const password = decoded(url.password);
  if (username === undefined || password === undefined) return { refused: "malformed" };
  const needsHost = transport !== "file";
  if (url.pathname.length < 2 || (needsHost && url.hostname === "") || (!needsHost && url.host !== ""))
    return { refused: "malformed" };
  if (url.hostname.startsWith("-") || username.startsWith("-")) return { refused: "malformed" };
  url.password = "";
  if (transport !== "ssh") url.username = "";
  const name = nameOf(decoded(url.pathname) ?? url.pathname);
  const known = transport !== "ssh" && username !== "" ? { credentials: { username, password, host: url.host } } : {};
  return { address: { url: url.href, transport, name, ...known } };
}

/** Undefined for what is no valid encoding, or holds a line break, which would end a line of git's credential protocol. */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return /[\p{Cc}]/u.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** The address without a password or token, for texts that are stored; any other text as it is. */
export function withoutCredentials(text: string): string {
  const reading = readAddress(text);
  if ("address" in reading) return reading.address.url;
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
}

function nameOf(path: string): string {
  const last =
    path
      .replace(/[/\\]+$/, "")
      .split(/[/\\:]/)
      .at(-1) ?? "";
  const name = last
    .replace(/\.git$/i, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 100);
  return name === "" ? "repository" : name;
}

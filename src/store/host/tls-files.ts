import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { HallError } from "../../contract/errors.ts";

export interface Certificate {
  cert: string;
  key: string;
}

/** Reads a certificate and its key; paths are relative to the workspace. Throws when they cannot be used. */
export function loadCertificate({ cert, key }: Certificate, root: string): Certificate {
  const read = (path: string, setting: string) => {
    try {
      return readFileSync(resolve(root, path), "utf8");
    } catch (error) {
      throw unusable(setting, `'${path}' cannot be read (${codeOf(error)})`);
    }
  };
  const loaded = { cert: read(cert, "server.tls.cert"), key: read(key, "server.tls.key") };
  try {
    createSecureContext(loaded);
  } catch (error) {
    throw unusable("server.tls", `certificate and key do not match (${codeOf(error)})`);
  }
  return loaded;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

function unusable(setting: string, why: string): HallError {
  return new HallError("config_invalid", `${setting}: ${why}.`, {
    file: "config.yml",
    hint: "Name a certificate with its chain and the matching private key, both in PEM format.",
  });
}

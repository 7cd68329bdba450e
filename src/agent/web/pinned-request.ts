import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, isIPv6, type LookupFunction } from "node:net";
import { httpRequest } from "../../store/host/node-http.ts";
import type { CheckedAddress } from "./web-address.ts";
import { WebRefusal } from "./web-refusal.ts";

export interface RequestOptions {
  userAgent: string;
  accept: string;
  signal: AbortSignal;
}

/**
 * One GET over a connection of its own to one of the checked addresses. Nothing is resolved here: the host's name is
 * used for the Host header and the certificate only. No cookies, no credentials; redirects are the caller's to judge.
 */
export function pinnedGet(checked: CheckedAddress, options: RequestOptions): Promise<IncomingMessage> {
  const { url, host, port, addresses } = checked;
  const { userAgent, accept, signal } = options;
  const isSecure = url.protocol === "https:";
  const send = isSecure ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = send({
    method: "GET",
    host,
    port,
    path: `${url.pathname}${url.search}`,
    lookup: pinned(addresses),
    agent: false,
    signal,
    headers: {
      host: url.host,
      "user-agent": userAgent,
      accept,
      "accept-encoding": "gzip, br, deflate",
      connection: "close",
    },
    ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
  });
  asked.once("response", resolve);
  asked.on("error", (error) => reject(signal.aborted ? signal.reason : new WebRefusal(faultOf(error, host))));
  // A server that answers with something that is no answer, such as 101, leaves nothing but an end.
  asked.once("close", () => reject(new WebRefusal(`'${host}' closed the connection without a response`)));
  asked.end();
  return promise;
}

function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    const [first] = found;
    if (all === true || first === undefined) done(null, found);
    else done(null, first.address, first.family);
  };
}

function faultOf(error: Error, host: string): string {
  const code = "code" in error ? String(error.code) : "network error";
  if (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|HOSTNAME_)/.test(code))
    return `the TLS connection to '${host}' failed (${code})`;
  return `'${host}' could not be reached (${code})`;
}

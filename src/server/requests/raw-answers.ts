import type { Duplex } from "node:stream";
import { type ErrorCode, HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { STATUS_CODES } from "../../store/host/node-http.ts";
import type { Answer } from "../answer.ts";
import { errorBody } from "../failures.ts";
import { answerError, apiHeaders } from "./answers.ts";

/** Answers a request that could not even be read as HTTP, where no handler will ever see it. */
export function answerOnSocket(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...told } = unreadable[error.code ?? ""] ?? notHttp;
  const place = { hint: "Send a complete HTTP/1.1 request of moderate size." };
  socket.end(rawAnswer(status, new HallError(told.code, told.message, place), requestId));
}

export function refuseConnect(socket: Duplex, requestId: string): void {
  socket.end(rawAnswer(405, new HallError("method_not_allowed", "CONNECT is not allowed."), requestId, "allow: \r\n"));
}

/** For a request whose target or Host does not make an address. */
export function refuseUnreadable(requestId: string): Answer {
  const error = new HallError("malformed", "The request's path or Host header cannot be read.", {
    hint: hint("hall-address"),
  });
  return answerError(error, requestId);
}

interface Unreadable {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const notHttp: Unreadable = { status: 400, code: "malformed", message: "The request is not well-formed HTTP." };
const unreadable: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "too_large", message: "The request's headers are too large." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: "too_large", message: "The chunk extensions are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "malformed", message: "The request timed out." },
};

function rawAnswer(status: number, error: HallError, requestId: string, extra = ""): string {
  const body = errorBody(error, requestId);
  const headers = Object.entries(apiHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const framing = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n`;
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  return `${start}${headers.join("")}x-request-id: ${requestId}\r\n${extra}${framing}\r\n${body}`;
}

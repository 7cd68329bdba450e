/**
 * Node's HTTP. An `import` of it reads everything it exports, and with that has Node load its own `fetch`: a tenth of the time
 * until the daemon answers.
 */
const http = process.getBuiltinModule("node:http");

export const { Agent: HttpAgent, createServer, request: httpRequest, STATUS_CODES } = http;

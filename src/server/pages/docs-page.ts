import { type ErrorCode, errorTable } from "../../contract/errors.ts";
import { hintText } from "../../contract/words/hint.ts";
import type { JsonSchema } from "../api-schemas.ts";
import type { ApiDescription, Operation, Parameter } from "../openapi.ts";
import { type Field, fieldsOf, typeText } from "../requests/schema-fields.ts";
import { type Html, html } from "./html.ts";
import { type Page, standalonePage } from "./page.ts";

/** Codes that only the command line gives. */
const CLI_ONLY: readonly ErrorCode[] = [
  "usage",
  "daemon_unreachable",
  "workspace_busy",
  "workspace_refused",
  "port_taken",
  "config_invalid",
];

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function docsPage(api: ApiDescription): Page {
  const entries = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return standalonePage(
    "Guildhall API",
    html`<header>
<h1>Guildhall API</h1>
<p class="faint">Version ${api.info.version}. ${api.info.description}</p>
<nav aria-label="Sections">${sections(api).map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
</header>
<main>
${introduction(api)}
${api.tags.map(({ name }) => group(name, entries, api))}
${documents(api)}
${errors()}
</main>`,
  );
}

function sections(api: ApiDescription): { id: string; title: string }[] {
  const groups = api.tags.map(({ name }) => ({ id: slug(name), title: name }));
  return [...groups, { id: "documents-list", title: "Schemas" }, { id: "errors", title: "Errors" }];
}

function introduction(api: ApiDescription): Html {
  return html`<section>
<p>Every request except the health check needs the workspace's token in a header; a token in the URL is ignored.</p>
<pre>curl -H "Authorization: Bearer $(cat ~/.guildhall/.guildhall/token)" ${api.servers[0]?.url}/api/projects</pre>
<ul>
<li>Bodies are JSON objects in UTF-8, sent as <code>application/json</code>, of at most 10 MiB. Unknown fields are refused.</li>
<li>Documents have an <code>ETag</code>. Send it as <code>If-Match</code> to avoid overwriting another change:
the response is then 412.</li>
<li>A POST with an <code>Idempotency-Key</code> can be repeated safely; it runs once.</li>
<li>Lists take <code>limit</code> and return <code>nextCursor</code> if there are more; pass it as <code>cursor</code>.</li>
<li>Updates take only the fields that change; null removes an optional one.</li>
<li>Every response has an <code>X-Request-Id</code>, also shown in the daemon's log.</li>
</ul>
<p>OpenAPI description: <code>GET /api/openapi.json</code>.</p>
</section>`;
}

function group(name: string, entries: readonly Entry[], api: ApiDescription): Html {
  const mine = entries.filter(({ operation }) => operation.tags[0] === name);
  return html`<section>
<h2 id="${slug(name)}">${name}</h2>
${mine.map((entry) => operationDetails(entry, api))}
</section>
`;
}

/** The anchor is inside, so that following a link to it also opens it. */
function operationDetails({ method, path, operation }: Entry, api: ApiDescription): Html {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(operation.responses).filter(([status]) => /^2/.test(status));
  return html`<details>
<summary><span class="method">${method}</span><code>${path}</code><span class="about">${operation.summary}</span></summary>
<div id="${operation.operationId}">
${operation.parameters.length > 0 ? parameterTable(operation.parameters) : undefined}
${body ? html`<h3>Body</h3>${fieldTable(fieldsOf(body, api.components.schemas))}` : undefined}
${answers.map(([status, answer]) => answerDetails(status, answer as AnswerContent, api))}
</div>
</details>
`;
}

interface AnswerContent {
  readonly content: Record<string, { schema: JsonSchema }>;
}

function answerDetails(status: string, { content }: AnswerContent, api: ApiDescription): Html {
  const [[type = "", { schema }] = ["", { schema: {} }]] = Object.entries(content);
  const fields = fieldsOf(schema, api.components.schemas);
  return html`<h3>Response ${status}, ${type}</h3>${fields.length > 0 ? fieldTable(fields) : undefined}`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  const fields = parameters.map(({ name, in: place, required, schema, description }) => ({
    name,
    type: place === "path" ? "in the path" : `${place}; ${description ?? typeText(schema)}`,
    required,
    reference: undefined,
  }));
  return html`<h3>Parameters</h3>${fieldTable(fields)}`;
}

function fieldTable(fields: readonly Field[]): Html {
  const row = ({ name, type, required, reference }: Field) => html`<tr>
<td><code>${name}</code>${required ? undefined : html` <span class="faint">optional</span>`}</td>
<td>${reference ? html`<a href="#shape-${reference}">${type}</a>` : type}</td>
</tr>
`;
  return html`<div class="table"><table><thead><tr><th>Name</th><th>Description</th></tr></thead><tbody>
${fields.map(row)}</tbody></table></div>`;
}

function documents({ components: { schemas } }: ApiDescription): Html {
  const shown = Object.entries(schemas).filter(([name]) => !/(?:Answer|Body)$/.test(name));
  return html`<section>
<h2 id="documents-list">Schemas</h2>
${shown.map(
  ([name, schema]) => html`<details><summary><code>${name}</code></summary><div id="shape-${name}">
${fieldTable(fieldsOf(schema, schemas))}</div></details>
`,
)}
</section>
`;
}

function errors(): Html {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => !CLI_ONLY.includes(code));
  return html`<section>
<h2 id="errors">Errors</h2>
<p>A refused or failed request returns an <a href="#shape-Error">Error</a>: a code, a message,
the file and line if there is one, a hint, and the request id.</p>
<div class="table"><table><thead><tr><th>Code</th><th>Status</th><th>What to do</th></tr></thead><tbody>
${codes.map(
  (
    code,
  ) => html`<tr><td><code>${code}</code></td><td>${errorTable[code].status}</td><td>${hintText(errorTable[code].hint)}</td></tr>
`,
)}</tbody></table></div>
</section>`;
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

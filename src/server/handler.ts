import type { EndpointName } from "../contract/routes/endpoints.ts";
import type { OpenWork, Status } from "../contract/routes/hall-routes.ts";
import type { RouteBody, RouteParams, RouteQuery, RouteResponse } from "../contract/routes/routes.ts";
import type { Change } from "../workspace/change.ts";
import type { CookieEndpoint, StreamEndpoint } from "./addresses.ts";
import type { BrowserLink } from "./pages/browser-links.ts";

export type JsonEndpoint = Exclude<EndpointName, StreamEndpoint | CookieEndpoint>;

export interface Input<Name extends EndpointName> {
  readonly params: RouteParams<Name>;
  readonly query: RouteQuery<Name>;
  readonly body: RouteBody<Name>;
  readonly change: Change;
}

type Handler<Name extends EndpointName> = (input: Input<Name>) => RouteResponse<Name> | Promise<RouteResponse<Name>>;
export type Handlers = { readonly [Name in JsonEndpoint]: Handler<Name> };
export type HandlersOf<Names extends JsonEndpoint> = Pick<Handlers, Names>;

/** What the daemon knows about itself, beside the workspace. */
export interface Daemon {
  readonly version: string;
  /** The one it listens on. */
  readonly port: number;
  status(): Omit<Status, "counts" | "index" | "containment" | "sandbox">;
  /** What is open in a project that a person suspends or completes. */
  openIn(projectId: string): OpenWork[];
  /** Answers what is open; nothing prevents the stop. */
  requestStop(): Promise<OpenWork[]>;
  /** Throws when it cannot. */
  requestRestart(): void;
  browserLink(): BrowserLink;
  openApi(): Promise<Record<string, unknown>>;
}

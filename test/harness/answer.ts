import type { ErrorBody } from "../../src/contract/error-body.ts";
import type { EndpointName, endpoints } from "../../src/contract/routes/endpoints.ts";
import type { RouteResponse } from "../../src/contract/routes/routes.ts";

/** An answer of the API. The type of its body follows from method and path; of an unknown path, only errors are typed. */
export interface Answer<Body = ErrorBody> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * The fields of an endpoint's answer, beside those of an error: the test's assertion on the status says which came. Of an
 * answer with alternatives, the fields of each.
 */
export type BodyOf<Name extends EndpointName> = Fields<RouteResponse<Name>>;

/** Reads the answer of an endpoint by its path: `hall.call("GET", "/api/roles")` answers with the roles. */
export type AnswerTo<Method extends string, Path extends string> = Answer<BodyAt<Method, Path>>;

type BodyAt<Method extends string, Path extends string> = string extends Path
  ? ErrorBody
  : [NameAt<Method, Path>] extends [never]
    ? ErrorBody
    : BodyOf<NameAt<Method, Path>>;

type NameAt<Method extends string, Path extends string> = FirstOf<
  Exclude<Matching<Method, Segments<WithoutQuery<Path>>>, undefined>
>;

/** A fixed path wins over one with a parameter in the same place, as it does in the daemon. */
type FirstOf<Name extends EndpointName> = [Exclude<Name, Parametric>] extends [never]
  ? Name
  : Exclude<Name, Parametric>;
type Parametric = "getRole" | "getProject" | "getRun";

type Matching<Method extends string, Path extends readonly string[]> = {
  [Name in EndpointName]: Endpoints[Name] extends readonly [Method, infer Own extends readonly string[]]
    ? Fits<Path, Own> extends true
      ? Name
      : never
    : never;
}[EndpointName];

type Endpoints = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends `${infer Method} ${infer Path}`
    ? readonly [Method, Segments<Path>]
    : never;
};

type Fits<Path extends readonly string[], Own extends readonly string[]> = Path extends readonly [
  infer Part extends string,
  ...infer Parts extends readonly string[],
]
  ? Own extends readonly [infer OwnPart extends string, ...infer OwnParts extends readonly string[]]
    ? OwnPart extends `:${string}`
      ? Fits<Parts, OwnParts>
      : Part extends OwnPart | Queried<OwnPart, Part>
        ? Fits<Parts, OwnParts>
        : false
    : false
  : Own extends readonly []
    ? true
    : false;

/** A last segment with a query that is only known when the test runs: `/api/runs${query}`. */
type Queried<OwnPart extends string, Part extends string> = Part extends `${OwnPart}${infer Query}`
  ? string extends Query
    ? Part
    : never
  : never;

type WithoutQuery<Path extends string> = Path extends `${infer Bare}?${string}` ? Bare : Path;
type Segments<Path extends string> = Path extends `${infer Part}/${infer Rest}` ? [Part, ...Segments<Rest>] : [Path];

type Fields<Body> = { [Key in Exclude<KeyOf<Body>, "error">]: ValueOf<Body, Key> } & {
  error: Told<Body> & ErrorBody["error"];
};
type Told<Body> = "error" extends KeyOf<Body> ? NonNullable<ValueOf<Body, "error">> : unknown;
type KeyOf<Body> = Body extends unknown ? keyof Body : never;
type ValueOf<Body, Key extends PropertyKey> = Body extends { [K in Key]?: infer Value } ? Value : never;

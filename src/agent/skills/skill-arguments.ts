const PLACEHOLDER = /\$(?:ARGUMENTS(?![A-Za-z0-9_])|[1-9](?![0-9]))/g;
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g;

/** Puts what was given into a body, once and literally. A body that is given nothing stays as it is. */
export function withArguments(body: string, given: string | undefined): string {
  if (given === undefined) return body;
  const words = [...given.matchAll(WORD)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
  let isUsed = false;
  const filled = body.replace(PLACEHOLDER, (place) => {
    isUsed = true;
    return place === "$ARGUMENTS" ? given : (words[Number(place.slice(1)) - 1] ?? "");
  });
  return isUsed || given === "" ? filled : `${body}\n\nArguments: ${given}`;
}

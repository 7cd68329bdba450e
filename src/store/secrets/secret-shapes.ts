import { TextFilter } from "../index/text-filter.ts";

/** What replaces a secret whose name is not known. It fits no shape itself, so that hiding twice changes nothing. */
export const MARK = "[secret]";

interface Shape {
  /** Texts one of which every match has at the place where the pattern is tried: found fast, and only there is it tried. */
  anchors: readonly string[];
  /** Sticky. `keep` stays, everything after it is the secret; it must succeed or fail in time linear in what it passes. */
  pattern: RegExp;
  isSecret?: (value: string) => boolean;
}

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+)$|your|example|change-?me|placeholder|dummy|redacted|process\.env|import\.meta|environ|getenv|<|\$\{|\{\{/i;

/** In the order in which they are hidden. A letter after a backslash is no part of a word: in JSON it is a line break. */
export const SHAPES: readonly Shape[] = [
  // Anthropic, OpenAI and those who took over their form.
  { anchors: ["sk-ant-"], pattern: /(?<!(?<!\\)[A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{8,}/y },
  {
    anchors: ["sk-"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}/y,
    isSecret: (value) => /[A-Z]|\d/.test(value.slice(3)),
  },
  { anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], pattern: /gh[pousr]_[A-Za-z0-9]{30,}/y },
  { anchors: ["github_pat_"], pattern: /github_pat_[A-Za-z0-9_]{22,}/y },
  { anchors: ["glpat-"], pattern: /glpat-[A-Za-z0-9_-]{20,}/y },
  { anchors: ["AKIA", "ASIA"], pattern: /(?<!(?<!\\)[A-Za-z0-9])A[KS]IA[0-9A-Z]{16}(?![A-Za-z0-9])/y },
  {
    anchors: ["secret_access_key", "SECRET_ACCESS_KEY", "secretAccessKey", "SecretAccessKey"],
    pattern: /(?<keep>secret_?access_?key\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/iy,
  },
  { anchors: ["xox"], pattern: /(?<!(?<!\\)[A-Za-z0-9])xox[abeoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/y },
  // Of a Telegram bot, whose number before it is no secret.
  { anchors: [":AA"], pattern: /(?<=\d{8,12})(?<keep>:)AA[A-Za-z0-9_-]{30,40}(?![A-Za-z0-9_-])/y },
  { anchors: ["xapp-"], pattern: /(?<!(?<!\\)[A-Za-z0-9])xapp-[A-Za-z0-9-]{20,}/y },
  {
    anchors: ["hooks.slack.com/"],
    pattern: /(?<keep>hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,}/y,
  },
  { anchors: ["/api/webhooks/"], pattern: /(?<keep>\/api\/webhooks\/\d{10,20}\/)[A-Za-z0-9_-]{40,}/y },
  { anchors: ["AIza"], pattern: /(?<!(?<!\\)[A-Za-z0-9])AIza[0-9A-Za-z_-]{30,}/y },
  { anchors: ["ya29."], pattern: /(?<!(?<!\\)[A-Za-z0-9])ya29\.[0-9A-Za-z_-]{20,}/y },
  { anchors: ["GOCSPX-"], pattern: /GOCSPX-[0-9A-Za-z_-]{20,}/y },
  {
    anchors: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/y,
  },
  { anchors: ["whsec_"], pattern: /whsec_[A-Za-z0-9+/=]{16,}/y },
  { anchors: ["npm_"], pattern: /(?<!(?<!\\)[A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  { anchors: ["hf_"], pattern: /(?<!(?<!\\)[A-Za-z0-9])hf_[A-Za-z0-9]{30,}/y },
  { anchors: ["gsk_"], pattern: /(?<!(?<!\\)[A-Za-z0-9])gsk_[A-Za-z0-9]{40,}/y },
  { anchors: ["tvly-"], pattern: /(?<!(?<!\\)[A-Za-z0-9])tvly-[A-Za-z0-9-]{16,}/y },
  { anchors: ["pypi-"], pattern: /(?<!(?<!\\)[A-Za-z0-9])pypi-[A-Za-z0-9_-]{50,}/y },
  { anchors: ["dop_v1_"], pattern: /dop_v1_[a-f0-9]{40,}/y },
  { anchors: ["SG."], pattern: /(?<!(?<!\\)[A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}/y },
  { anchors: ["AccountKey="], pattern: /(?<keep>AccountKey=)[A-Za-z0-9+/]{40,}={0,2}/y },
  // A JSON web token. The first part cannot begin inside another, or many beginnings would be read to the same end.
  {
    anchors: ["eyJ"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?/y,
  },
  {
    anchors: ["-----BEGIN "],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=[A-Za-z0-9+/=\s\\:.,-]{16})[A-Za-z0-9+/=\s\\:.,]*(?:(?<=\n)-(?!-)[A-Za-z0-9+/=\s\\:.,]*)*(?:-?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/y,
  },
  {
    anchors: ["earer ", "EARER "],
    pattern: /(?<keep>(?<=[Bb])(?:earer|EARER) {1,3})[A-Za-z0-9._~+/-]{20,}={0,2}/y,
  },
  {
    anchors: ["uthorization"],
    pattern:
      /(?<keep>uthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:Bearer|Basic|Token|ApiKey|bearer|basic|token)\s{1,3})[^\s"'\\,;[]{8,500}/y,
    isSecret: (value) => !PLACEHOLDER.test(value),
  },
  {
    anchors: ["://"],
    pattern: /(?<keep>:\/\/[^\s:/@"'<>]{0,100}:)[^\s@/"'`<>{}$[]{2,200}(?=@)/y,
    isSecret: (value) => !PLACEHOLDER.test(value),
  },
  // NAME=value, as in env files and shells.
  {
    anchors: ["KEY", "TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL"],
    pattern:
      /(?<keep>(?:(?<=(?:API|ACCESS|SECRET|PRIVATE|AUTH|CLIENT|SERVICE|SIGNING|ENCRYPTION|MASTER)_?)KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIALS?)[A-Z0-9_]{0,20}=)(?:'[^'\n\\[]{6,500}'|"[^"\n\\[]{6,500}"|[^\s'"$<{([`\\,;][^\s'"`\\,;]{7,500})/y,
    isSecret: (value) => !PLACEHOLDER.test(value) && !/^[a-z_.:/-]+$/.test(value),
  },
  // "name": "value", as in code and settings.
  {
    anchors: ["key", "Key", "token", "Token", "secret", "Secret", "passw", "Passw"],
    pattern:
      /(?<keep>(?:(?<=(?:api|access|secret|private|auth|client)[_-]?)key|token|secret|passw(?:or)?d)\\?["']?\s{0,3}(?::|=>|=)\s{0,3}\\?["'])[^\s"'\\[]{16,300}(?=\\?["'])/iy,
    isSecret: (value) => !PLACEHOLDER.test(value) && isRandom(value),
  },
  // "name":"value", as in JSON, where values are rarely code.
  {
    anchors: ["key", "Key", "token", "Token", "secret", "Secret", "passw", "Passw"],
    pattern:
      /(?<keep>(?:(?<=(?:api|access|secret|private|auth|client)[_-]?)key|token|secret|passw(?:or)?d)\\?"\s{0,3}:\s{0,3}\\?")[^\s"\\[]{8,300}(?=\\?")/iy,
    isSecret: (value) => !PLACEHOLDER.test(value) && isKeyLike(value),
  },
  // ?name=value, as in an address.
  {
    anchors: ["key=", "token=", "secret=", "password=", "signature=", "Signature=", "sig="],
    pattern:
      /(?<keep>(?:(?<=[?&](?:(?:api|access|secret|private|auth|client|subscription)[_-]?)?)key|(?<=[?&][\w.-]{0,30})(?:token|secret|password|[Ss]ignature|sig))=)[^\s&#"'<>\\`[]{8,500}/y,
    isSecret: (value) => !PLACEHOLDER.test(value) && isKeyLike(value),
  },
];

/** Whether it has digits among letters, or a run of capitals among others, as words of a text have not. */
function isKeyLike(value: string): boolean {
  return (/\d/.test(value) && /[A-Za-z]/.test(value)) || (/[A-Z]{5}/.test(value) && /[^A-Z_]/.test(value));
}

interface Anchor {
  text: string;
  shape: Shape;
}

/** In the order in which shapes are hidden. */
const ANCHORS: readonly Anchor[] = SHAPES.flatMap((shape) => shape.anchors.map((text) => ({ text, shape })));

const filter = new TextFilter<Anchor>();
for (const anchor of ANCHORS) filter.add(anchor.text, anchor);

/** The text without anything that has the shape of a secret. */
export function withoutShapes(text: string): string {
  const found = anchorsIn(text);
  if (found.size === 0) return text;
  let shown = text;
  for (const anchor of ANCHORS) {
    const places = found.get(anchor);
    // Hiding moves what follows, and brings no anchor but those in the mark.
    if (shown === text) shown = places === undefined ? text : withoutShape(text, anchor.shape, places);
    else if (places !== undefined || MARK.includes(anchor.text))
      shown = withoutShape(shown, anchor.shape, placesOf(anchor.text, shown));
  }
  return shown;
}

function anchorsIn(text: string): Map<Anchor, number[]> {
  const found = new Map<Anchor, number[]>();
  for (const at of filter.places(text))
    for (const anchor of filter.at(text, at)) {
      if (!text.startsWith(anchor.text, at)) continue;
      const places = found.get(anchor);
      if (places === undefined) found.set(anchor, [at]);
      else places.push(at);
    }
  return found;
}

function placesOf(anchor: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(anchor); at !== -1; at = text.indexOf(anchor, at + 1)) places.push(at);
  return places;
}

function withoutShape(text: string, { pattern, isSecret }: Shape, places: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  let next = 0;
  for (const at of places) {
    // What was read and is none is not read again from its middle.
    if (at < next) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    next = at + match[0].length;
    const kept = match.groups?.keep ?? "";
    if (isSecret?.(match[0].slice(kept.length)) === false) continue;
    pieces.push(text.slice(from, at), kept, MARK);
    from = next;
  }
  return from === 0 ? text : `${pieces.join("")}${text.slice(from)}`;
}

const LEAST_BITS = 3.3;

/** Whether it looks drawn by lot: letters and digits, few of them twice. */
export function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= LEAST_BITS;
}

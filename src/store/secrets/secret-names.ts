import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isRandom } from "./secret-shapes.ts";

/** Said of passwords, which people make of plain words too. */
const PASSWORD_WORD = /^(?:\w*(?:PASSWORD|PASSWD|PASSPHRASE)S?|PASS|PWD)$/;
const SECRET_WORD =
  /^(?:KEYS?|SECRETS|CREDENTIALS?|CREDS|DSN|SALT|COOKIE|SIGNATURE|WEBHOOK|\w*(?:SECRET|TOKEN|APIKEY))$/;
/** Words that stand together without a line between them. */
const FUSED = /^\w*(?:ACCESS|SECRET|PRIVATE|AUTH|ENCRYPTION|SIGNING)KEYS?$/;
const SHELL_OWN = new Set(["PWD", "OLDPWD"]);
/** Names of places where a secret lies, not of the secret. */
const PLACE = /_(?:FILE|PATH|DIR|SOCK|SOCKET|URL)$/;

const PLAIN_WORD = /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})$/;
const EVERYDAY =
  /^(?:true|false|null|none|undefined|default|development|production|staging|testing|localhost|postgres|postgresql|password|changeme|secret|admin|debug|info|[\d.,:_+-]{1,15}|[a-z]{1,7}|[a-z]{2}_[a-z]{2}(?:\.utf-?8)?)$/i;
const OWN_MACHINE = /^[a-z+]{2,12}:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?(?:\/[\w./-]*)?$/i;

/** Said of amounts, which are no secrets though a word beside them names one. */
const AMOUNT =
  /^(?:AGE|BYTES|COUNT|DAYS|EXPIRATION|EXPIRES|EXPIRY|HOURS|INTERVAL|LENGTH|LIFETIME|LIMIT|MAX|MIN|MINUTES|MS|PORT|SECONDS|SIZE|TIMEOUT|TTL)$/;
/** Where paths of machines begin, of this one or of another. */
const TOP_FOLDER =
  /^(?:app|bin|data|etc|home|lib|Library|media|mnt|nix|opt|private|proc|root|run|sbin|snap|srv|sys|tmp|Users|usr|var|Volumes|workspace)$/;

/** Whether a value of digits alone counts as a secret: a long one, or a shorter one whose name says so. Amounts do not. */
export function isSecretNumber(name: string, value: string): boolean {
  if (!/^\d{6,}$/.test(value) || /000$|^(\d)\1+$/.test(value)) return false;
  if (wordsOf(name).some((word) => AMOUNT.test(word))) return false;
  return value.length >= 12 || isSecretName(name);
}

/** Whether the name of a variable says that its value is a secret, judged by its words. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (SHELL_OWN.has(words.join("_"))) return false;
  return (
    words.at(-1) === "AUTH" || words.some((word) => SECRET_WORD.test(word) || FUSED.test(word)) || isPassword(words)
  );
}

/** Whether it names the place of a secret instead. */
export function isPlaceName(name: string): boolean {
  return PLACE.test(wordsOf(name).join("_"));
}

/** Values that any text may have for other reasons, so that hiding them would only make it unreadable. */
export function isEveryday(name: string, value: string): boolean {
  if (isSecretNumber(name, value)) return false;
  if (EVERYDAY.test(value) || OWN_MACHINE.test(value)) return true;
  if (PLAIN_WORD.test(value)) return !isPassword(wordsOf(name));
  return isPlace(name, value) || isOwnName(value);
}

function isPassword(words: readonly string[]): boolean {
  return words.some((word) => PASSWORD_WORD.test(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z\d]+/)
    .filter((word) => word !== "");
}

/**
 * An absolute path, of a file or of a list of them, or any that exists. A value that only looks like one, because it begins
 * with a slash, is none where its name says that it is a secret.
 */
function isPlace(name: string, value: string): boolean {
  const isDrawn = /^[A-Za-z\d+/=]{32,}$/.test(value) && isRandom(value);
  const [, top] = /^\/([^\s/]+)\//.exec(value) ?? [];
  const isOnMachine = top !== undefined && (TOP_FOLDER.test(top) || existsSync(`/${top}`) || !isSecretName(name));
  if (!isDrawn && (isOnMachine || /^~\//.test(value))) return true;
  return !value.includes("\0") && value.length < 4_096 && existsSync(value);
}

/** Asked for once: on some machines the answer takes tens of milliseconds. */
let userName: string | undefined;

function isOwnName(value: string): boolean {
  userName ??= nameOfUser();
  return value === homedir() || value === userName;
}

/** A user without an entry of its own has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

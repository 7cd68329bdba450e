import { basename, extname } from "node:path/posix";
import type { GateReason } from "../../contract/documents/quality/gate.ts";
import { isCodeFile } from "../proof/languages.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import type { GateOrder } from "./gate-order.ts";

const TEXTS = new Set([".md", ".markdown", ".rst", ".adoc", ".asciidoc", ".org", ".txt", ".tex", ".bib"]);
const MEDIA = new Set([
  ...[".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".bmp", ".tif", ".tiff", ".ico", ".svg", ".drawio"],
  ...[".pdf", ".doc", ".docx", ".odt", ".ppt", ".pptx", ".odp", ".xls", ".xlsx", ".ods", ".epub", ".psd", ".ai"],
  ...[".bin", ".dat", ".npy", ".parquet", ".onnx", ".sketch", ".fig", ".blend", ".glb"],
  ...[".mp3", ".mp4", ".mov", ".ogg", ".wav", ".webm", ".woff", ".woff2", ".ttf", ".otf"],
]);
/** Documents by their name alone, with or without an ending. */
const NAMES =
  /^(?:README|CHANGELOG|CHANGES|HISTORY|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|MAINTAINERS|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|ROADMAP|UPGRADING|INSTALL|FAQ)(?:[.-][\w.-]+)?$/i;
const FOLDERS = /(?:^|\/)(?:docs?|documentation|man|wiki)\//i;
/** Lists of packages and of files to build, which are texts by their ending. */
const LISTS = /^(?:.*requirements.*|.*constraints.*|CMakeLists|runtime|packages|environment)\.txt$/i;
/** Whatever is in there, tests may depend on it. */
const OF_TESTS =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|__mocks__|__snapshots__|snapshots?|testdata|requirements)\//i;
/** Names that are looked for in the code. */
const MOST_NAMES = 50;

const ONLY_DOCUMENTS: GateReason = { code: "not-code", text: "Only documents changed; nothing to judge." };

/**
 * Why a change without a task need not be judged: it consists of documents, which no check looks at and no code names. Undefined
 * where it has to be judged.
 */
export async function onlyDocuments(
  order: Pick<GateOrder, "task" | "run" | "settings" | "ground" | "span">,
  changes: readonly TreeChange[],
): Promise<GateReason | undefined> {
  const { task, run, settings, ground, span } = order;
  const { commands, testScope, spec, rolloutSafety } = settings;
  // Who has a command run for every change, or asks for more than checks, wants it for this one too.
  const isAsked = commands.syntax ?? commands.tests ?? commands.affected;
  if (task !== undefined || run !== undefined || isAsked !== undefined || testScope === "full" || rolloutSafety)
    return undefined;
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const ofSpec = spec === undefined ? undefined : ground.prefix === "" ? spec : `${ground.prefix}/${spec}`;
  const isAll = paths.every((path) => isDocument(path) && path !== ofSpec && !ground.checks.isCheckSetting(path));
  if (!isAll) return undefined;
  const unsure = [...new Set(paths.filter((path) => !isDocumentByPlace(path)).map((path) => basename(path)))];
  if (unsure.length > MOST_NAMES || unsure.some((name) => !name.isWellFormed())) return undefined;
  if (unsure.length === 0) return ONLY_DOCUMENTS;
  const mentions = await ground.trees.search(span.tree, unsure.map(literally).join("|"));
  return mentions.some(({ path }) => isCodeFile(path)) ? undefined : ONLY_DOCUMENTS;
}

/** Whether a file can be one that no check has to look at. */
function isDocument(path: string): boolean {
  const name = basename(path);
  const end = extname(name).toLowerCase();
  if (OF_TESTS.test(path) || LISTS.test(name) || isCodeFile(path)) return false;
  return TEXTS.has(end) || MEDIA.has(end) || (end === "" && NAMES.test(name));
}

/** Others may be data, such as a prompt or a picture that code loads. */
function isDocumentByPlace(path: string): boolean {
  return FOLDERS.test(path) || NAMES.test(basename(path)) || !path.includes("/");
}

function literally(name: string): string {
  return name.replaceAll(/[.[\](){}*+?^$|\\]/g, "\\$&");
}

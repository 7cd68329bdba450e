import { basename, extname } from "node:path/posix";
import { isCodeFile } from "../proof/languages.ts";

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

/** Whether a file can be one that no check has to look at. */
export function isDocument(path: string): boolean {
  const name = basename(path);
  const end = extname(name).toLowerCase();
  if (OF_TESTS.test(path) || LISTS.test(name) || isCodeFile(path)) return false;
  return TEXTS.has(end) || MEDIA.has(end) || (end === "" && NAMES.test(name));
}

/** Others may be data, such as a prompt or a picture that code loads. */
export function isDocumentByPlace(path: string): boolean {
  return FOLDERS.test(path) || NAMES.test(basename(path));
}

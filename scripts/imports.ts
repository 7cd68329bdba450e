import { Visitor } from "oxc-parser";
import { syntaxTreeOf } from "./syntax-tree.ts";

/**
 * How a module is reached: "static" is loaded with the importer, "lazy" only when an `import()` is evaluated, and
 * "type" never, as it leaves no trace at run time.
 */
export type ImportKind = "static" | "lazy" | "type";

export interface Import {
  /** What stands between the quotes; undefined for an `import()` of something that is computed. */
  specifier: string | undefined;
  kind: ImportKind;
}

/** Every module that a source names: imports, re-exports, `import()` and `import("…")` in types. */
export function importsOf(fileName: string, source: string): Import[] {
  const found: Import[] = [];
  const reExport = (node: { source: { value: string } | null; exportKind?: string }) => {
    if (node.source !== null) found.push({ specifier: node.source.value, kind: kindOf(node.exportKind) });
  };
  new Visitor({
    ImportDeclaration: (node) => {
      found.push({ specifier: node.source.value, kind: kindOf(node.importKind) });
    },
    ExportNamedDeclaration: reExport,
    ExportAllDeclaration: reExport,
    ImportExpression: ({ source }) => {
      const specifier = source.type === "Literal" && typeof source.value === "string" ? source.value : undefined;
      found.push({ specifier, kind: "lazy" });
    },
    TSImportType: (node) => {
      found.push({ specifier: node.source.value, kind: "type" });
    },
  }).visit(syntaxTreeOf(fileName, source));
  return found;
}

/** `import { type A }` is no type import: what is left of it at run time still loads the module. */
function kindOf(declared: string | undefined): ImportKind {
  return declared === "type" ? "type" : "static";
}

import { posix } from "node:path";
import { type TSSignature, Visitor } from "oxc-parser";
import type { SourceFiles } from "./floor-rules.ts";
import { syntaxTreeOf } from "./syntax-tree.ts";

const MOST_FILES = 30;
const MOST_MEMBERS = 15;

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

/** One line for every folder that holds more source files than a reader can keep in view. Tests do not count. */
export function folderProblems(files: SourceFiles): string[] {
  const counts = new Map<string, number>();
  for (const path of files.keys()) {
    const folder = posix.dirname(path);
    if (!isTest(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder}: has ${count} source files, at most ${MOST_FILES}; give it subfolders`);
}

/** One line for every port with too many members. A port is an interface of which at least half can be called. */
export function portProblems(files: SourceFiles): string[] {
  return [...files].filter(([path]) => !isTest(path)).flatMap(([path, source]) => largePortsIn(path, source));
}

function largePortsIn(path: string, source: string): string[] {
  const problems: string[] = [];
  const check = (name: string, members: readonly TSSignature[]) => {
    if (members.length <= MOST_MEMBERS || members.filter(isCallable).length * 2 < members.length) return;
    problems.push(`${path}: the port '${name}' has ${members.length} members, at most ${MOST_MEMBERS}; split it`);
  };
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => check(id.name, body.body),
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => {
      if (typeAnnotation.type === "TSTypeLiteral") check(id.name, typeAnnotation.members);
    },
  }).visit(syntaxTreeOf(path, source));
  return problems;
}

function isCallable(member: TSSignature): boolean {
  if (member.type === "TSMethodSignature") return true;
  return member.type === "TSPropertySignature" && member.typeAnnotation?.typeAnnotation.type === "TSFunctionType";
}

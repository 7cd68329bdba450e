/** What a folder of a project is built with. Apart from the schemas, so that commands and pages can load them without. */
export const PROJECT_KINDS = [
  "nextjs",
  "react-native",
  "react-vite",
  "react",
  "vue",
  "svelte",
  "angular",
  "node-service",
  "node-cli",
  "node",
  "django",
  "fastapi",
  "flask",
  "python-cli",
  "python",
  "go-cli",
  "go",
  "rust-service",
  "rust-cli",
  "rust",
  "docs",
] as const;
export type ProjectKind = (typeof PROJECT_KINDS)[number];

export const KIND_LANGUAGES = ["typescript", "javascript", "python", "go", "rust", "markdown"] as const;
export type KindLanguage = (typeof KIND_LANGUAGES)[number];

interface KindWords {
  name: string;
  /** Skill packs with its standards, which come with the product. */
  skills: readonly string[];
}

export const KIND_TABLE: Readonly<Record<ProjectKind, KindWords>> = {
  nextjs: { name: "Next.js app", skills: ["nextjs-standards", "react-standards"] },
  "react-native": { name: "React Native app", skills: ["react-standards"] },
  "react-vite": { name: "React app with Vite", skills: ["react-standards"] },
  react: { name: "React code", skills: ["react-standards"] },
  vue: { name: "Vue app", skills: [] },
  svelte: { name: "Svelte app", skills: [] },
  angular: { name: "Angular app", skills: [] },
  "node-service": { name: "Node.js service", skills: ["node-standards"] },
  "node-cli": { name: "Node.js command-line tool", skills: ["cli-standards", "node-standards"] },
  node: { name: "Node.js package", skills: ["node-standards"] },
  django: { name: "Django app", skills: ["python-web-standards", "python-standards"] },
  fastapi: { name: "FastAPI service", skills: ["python-web-standards", "python-standards"] },
  flask: { name: "Flask app", skills: ["python-web-standards", "python-standards"] },
  "python-cli": { name: "Python command-line tool", skills: ["cli-standards", "python-standards"] },
  python: { name: "Python package", skills: ["python-standards"] },
  "go-cli": { name: "Go command-line tool", skills: ["cli-standards", "go-standards"] },
  go: { name: "Go module", skills: ["go-standards"] },
  "rust-service": { name: "Rust service", skills: ["rust-standards"] },
  "rust-cli": { name: "Rust command-line tool", skills: ["cli-standards", "rust-standards"] },
  rust: { name: "Rust crate", skills: ["rust-standards"] },
  docs: { name: "Documentation", skills: ["docs-standards"] },
};

export const LANGUAGE_NAMES: Readonly<Record<KindLanguage, string>> = {
  typescript: "TypeScript",
  javascript: "JavaScript",
  python: "Python",
  go: "Go",
  rust: "Rust",
  markdown: "Markdown",
};

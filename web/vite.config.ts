import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * Signs of roles must show on machines without a font for them. Under a name of its own, so that a machine's own font comes
 * first; and in one format, as every browser that can show the page knows it.
 */
const emoji: Plugin = {
  name: "hall-emoji",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("/noto-color-emoji/400.css")
      ? code.replaceAll("'Noto Color Emoji'", "'Hall Emoji'").replaceAll(/, url\([^)]*\.woff\) format\('woff'\)/g, "")
      : undefined,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [emoji, react(), tailwindcss()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    emptyOutDir: true,
    target: "es2023",
    // Small files would become data: addresses in scripts, which the page's policy refuses for workers.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

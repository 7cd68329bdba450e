import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Our own modules that the shell or Now load. */
const EVERYWHERE =
  /web\/src\/(?:api|live|shell|pages\/now\/(?!welcome)|ui\/(?:badge|button|figures|meter|page|states|toasts|run\/run-row|run\/status)\.)|src\/contract\//;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
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
    rolldownOptions: {
      output: {
        // What every page needs comes in three files: left alone, Now would load thirty-six, of which most are tiny.
        codeSplitting: {
          groups: [
            {
              name: "libraries",
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-query|react-router|react-store|query-core|router-core|history|store))\//,
              priority: 2,
            },
            { name: "icons", test: /node_modules\/lucide-react\//, priority: 2 },
            { name: "hall", test: EVERYWHERE, priority: 1 },
          ],
        },
      },
    },
  },
});

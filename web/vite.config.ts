// How the page is bundled: hashed files without anything inline, so that a strict content security policy holds.
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from there
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog(level, log, say) {
        // "use client" in libraries is for renderers on servers.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') say(level, log)
      },
    },
  },
})

// Vite configuration: hashed files and nothing inlined, as the content security policy requires.
import { defineConfig } from 'vite'
import { IMPORTERS } from '../src/import/formats.ts'

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  // The page needs the labels of the importers, but none of their code.
  define: { IMPORT_FORMATS: JSON.stringify(IMPORTERS.map(({ name, label }) => [name, label])) },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One script with what every page needs, one per page, and one with what several pages share.
        codeSplitting: {
          groups: [
            { name: 'first-load', tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
      onLog(level, log, defaultHandler) {
        // "use client" directives in libraries only matter for server rendering.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log)
      },
    },
  },
})

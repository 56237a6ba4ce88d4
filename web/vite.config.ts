// Vite configuration: hashed files and nothing inlined, as the content security policy requires.
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { IMPORTERS } from '../src/import/formats.ts'
import { scriptOf } from './scripts.ts'

const D3_REPLACEMENTS = join(import.meta.dirname, 'src/ui/charts/d3-replacements.ts')

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  // The page needs the labels of the importers, but none of their code.
  define: { IMPORT_FORMATS: JSON.stringify(IMPORTERS.map(({ name, label }) => [name, label])) },
  resolve: { alias: { 'd3-format': D3_REPLACEMENTS, 'd3-interpolate': D3_REPLACEMENTS } },
  // Scripts and styles find other files also if the service has a path prefix. The service changes addresses in index.html.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [
    {
      name: 'render-blocking-script',
      // The first script sets the theme. Without this attribute, the page could first be painted with another background.
      transformIndexHtml: {
        order: 'post',
        handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
      },
    },
  ],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        // Without recursion, a module is in exactly the script that scriptOf returns for it.
        codeSplitting: {
          groups: [{ name: scriptOf, includeDependenciesRecursively: false }],
        },
      },
      onLog(level, log, defaultHandler) {
        // "use client" directives in libraries only matter for server rendering.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log)
      },
    },
  },
})

// Vite configuration: hashed files and nothing inlined, as the content security policy requires.
import { defineConfig, type Plugin } from 'vite'
import { IMPORTERS } from '../src/import/formats.ts'
import { classNameOf } from './class-names.ts'
import { smallerLibraries } from './libraries.ts'
import { preloadList } from './preloads.ts'
import { copiedModules, scriptOf } from './scripts.ts'

/** React has this function since version 18. */
const ALIASES = [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }]

/** The first script sets the theme. Without this attribute, the page could first be painted with another background. */
const renderBlockingScript: Plugin = {
  name: 'render-blocking-script',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
  },
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  // The page needs the labels of the importers, but none of their code.
  define: { IMPORT_FORMATS: JSON.stringify(IMPORTERS.map(({ name, label }) => [name, label])) },
  resolve: { alias: ALIASES },
  // Scripts and styles find other files also if the service has a path prefix. The service changes addresses in index.html.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [renderBlockingScript, smallerLibraries, copiedModules, preloadList],
  css: { modules: { generateScopedName: classNameOf } },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The service sends preloads of a page. With a map of them in each script, a page would load 1 kB more.
    modulePreload: false,
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

// Vite configuration: hashed files and nothing inlined, as the content security policy requires.
import { defineConfig, type Plugin } from 'vite'
import { IMPORTERS } from '../src/import/formats.ts'
import { preloadList } from './preloads.ts'

/**
 * Modules that most pages need a part of: libraries, the folders that show no rows but without what only pages with reviews need,
 * and what is shown before a row or without any.
 */
const GENERAL_MODULES =
  /\/src\/(?!format\/agreement-word|share\/link-list|ui\/cards|ui\/charts\/bar|ui\/messages\/dialog-fields)(?:api|errors|evaluation-state|export|format|navigation|queries|results|running|share|state|ui)\/|\/(?:row-panel\/panel(?:-content)?|revisions\/filter-field)\.tsx|\/node_modules\/(?!diff\/)/

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
  // Scripts and styles find other files also if the service has a path prefix. The service changes addresses in index.html.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [renderBlockingScript, preloadList],
  // The default names also contain the name in the source and its line: 2 kB more.
  css: { modules: { generateScopedName: '_[hash:base64:5]' } },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The service sends preloads of a page. With a map of them in each script, a page would load 1 kB more.
    modulePreload: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'first-load', tags: ['$initial'] },
            // Without these groups, each set of modules that the same pages share would be a script: a page would load up to 30.
            { name: 'shared', test: GENERAL_MODULES, minShareCount: 2 },
            {
              name: 'table',
              test: /\/src\/(?:table|filters|breakdown\/breakdown-(?:button|state)|pages\/evaluation\/filters|pages\/comparison)\b/,
              minShareCount: 2,
            },
            { name: 'rows', minShareCount: 3 },
            // With everything that it imports, which the panel with a row of a comparison also shows.
            { name: 'scenario', test: /\/src\/pages\/scenario\// },
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

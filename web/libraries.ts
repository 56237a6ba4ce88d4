// Leaves out parts of libraries that the page does not use. They would add 12 kB to the first load.
import type { Plugin } from 'vite'

const SOURCES = `${import.meta.dirname}/src/`

/** Modules that replace a library or a part of it. */
const REPLACEMENTS: { source: RegExp; importer?: RegExp; replacement: string }[] = [
  // With named exports, a call is `jsx(…)` instead of `(0, runtime.jsx)(…)`.
  {
    source: /^react\/jsx-runtime$/,
    importer: /(?<!jsx-runtime\.ts)$/,
    replacement: `${SOURCES}app/jsx-runtime.ts`,
  },
  { source: /^d3-(?:format|interpolate)$/, replacement: `${SOURCES}ui/charts/d3-replacements.ts` },
  {
    source: /^\.\/scroll-restoration\.js$/,
    importer: /\/@tanstack\/router-core\//,
    replacement: `${SOURCES}app/scroll-reset.ts`,
  },
]

/** Exports of CommonJS modules that nothing imports. The bundler only removes those of ES modules. */
const UNUSED_EXPORTS: [module: RegExp, names: RegExp][] = [
  [
    /\/react\/cjs\/react\.production\.js$/,
    /^(?:Activity|Profiler|PureComponent|StrictMode|ViewTransition|__COMPILER_RUNTIME|addTransitionType|cache|cacheSignal|cloneElement|createRef|isValidElement|lazy|unstable_\w+|useActionState|useInsertionEffect)$/,
  ],
  [/\/react-dom\/cjs\/react-dom\.production\.js$/, /^(?!__DOM_INTERNALS|flushSync$|version$)/],
  [/\/react-dom\/cjs\/react-dom-client\.production\.js$/, /^hydrateRoot$/],
  [
    /\/scheduler\/cjs\/scheduler\.production\.js$/,
    /^unstable_(?:Profiling|forceFrameRate|next|runWithPriority|wrapCallback)$/,
  ],
]
const IMPORT_FROM_REACT = /import \{([^}]+)\} from ["'](react(?:-dom)?)["']/g

export const smallerLibraries: Plugin = {
  name: 'smaller-libraries',
  apply: 'build',
  enforce: 'pre',
  // The page does not support the developer tools of React.
  config: () => ({ define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } }),
  resolveId(source, importer = '') {
    const match = REPLACEMENTS.find(
      (item) => item.source.test(source) && (item.importer?.test(importer) ?? true),
    )
    return match?.replacement
  },
  transform(code, id) {
    if (id.startsWith(SOURCES)) {
      for (const [, names = '', library] of code.matchAll(IMPORT_FROM_REACT)) {
        const name = names
          .split(',')
          .find((entry) => isLeftOut(`/${library}/cjs/${library}.production.js`, entry.trim()))
        if (name)
          this.error(
            `${name.trim()} is left out of the build. Remove it from UNUSED_EXPORTS in web/libraries.ts.`,
          )
      }
    }
    return code.replace(/^exports\.(\w+) =/gm, (text, name) =>
      isLeftOut(id, name) ? `const unused_${name} =` : text,
    )
  },
}

function isLeftOut(module: string, name: string): boolean {
  return UNUSED_EXPORTS.some(([modules, names]) => modules.test(module) && names.test(name))
}

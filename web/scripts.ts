// Decides which script contains a module. Most pages have a script of their own; modules that pages share are in few scripts,
// because a page loads at most 150 kB of JavaScript and makes at most ten requests.
import type { Plugin, Rolldown } from 'vite'

const FIRST_LOAD = 'first-load'

/** Scripts for modules that only these pages share. All other shared modules are in the first script. */
const SHARED: [script: string, pages: string[]][] = [
  ['table', ['evaluation', 'comparison']],
  ['scenario', ['scenario', 'row-panel']],
  ['history', ['variants', 'variant']],
]

/** The pages of a revision and of a difference between two of them share most modules, so they share a script. */
const PAGE = /\/src\/pages\/(revision(?=-diff)|[^/]+)[^/]*\/page\.tsx$/
/** `panel` shows what the page of a scenario shows, `row-panel` a row of a comparison. */
const PANEL = /\/src\/pages\/(?:scenario|comparison\/row-panel)\/((?:row-)?panel)\.tsx$/

const ICON = /\/lucide\/dist\/esm\/icons\/([\w-]+)\.mjs$/
const EXPORTED_ICON = /export \{([^}]+)\} from ["']\.\/icons\/([\w-]+)\.mjs["']/g
const IMPORTED_ICONS = /import \{([^}]+)\} from ["']lucide["']/

/** Pages with their own copies of modules that they share with one other page. The modules must not have a state. */
const COPIES: [pages: RegExp, modules: RegExp][] = [
  [
    /\/src\/pages\/scenario\//,
    /\/src\/(?:evaluation-state\/(?:page-state|next-failure)|results\/(?:repeats|state-filters))\.ts$/,
  ],
  [/\/src\/row-panel\//, /\/src\/results\/(?:repeats\.ts|repeat-marks\.tsx)$/],
  [/\/src\/(?:row-panel|pages\/(?:scenario|comparison))\//, /\/src\/queries\/scenarios\.ts$/],
  [/\/src\/(?:row-panel|results)\/.*\.tsx?$/, /\/src\/results\/result-states\.ts$/],
  [/\/src\/filters\//, /\/src\/ui\/filter-chip\.tsx$/],
  [/\/src\/pages\/evaluations\//, /\/src\/results\/verdict-sentence\.ts$/],
  [/\/src\/pages\/variants?\//, /\/src\/revisions\/.*\.tsx?$/],
  [
    /\/src\/(?:pages\/revision(?:-diff)?|revisions)\//,
    /\/(?:src\/(?:content|diff)|node_modules\/diff)\/.*\.(?:tsx?|js)$|\/src\/ui\/truncation\.tsx$/,
  ],
]
const COPY = '?copy'

/** In a script of their own the copied modules would be one request too many, and in the first script all pages would load them. */
export const copiedModules: Plugin = {
  name: 'copied-modules',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer = '') {
    const isCopy = importer.endsWith(COPY)
    const copied = COPIES.filter(([pages, modules]) =>
      (isCopy ? modules : pages).test(importer.replace(COPY, '')),
    )
    if (copied.length === 0) return null
    const resolved = await this.resolve(source, importer.replace(COPY, ''))
    return resolved && copied.some(([, modules]) => modules.test(resolved.id))
      ? `${resolved.id}${COPY}`
      : resolved
  },
}

export const scriptOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
  const roots = rootsOf(id, context)
  if (roots.some((root) => context.getModuleInfo(root)?.isEntry)) return FIRST_LOAD
  const isOnPage = roots.some((root) => pageOf(root) !== undefined)
  // A dialog, or another part that loads when it is first used, has a script of its own.
  if (!isOnPage && roots.length === 1) return null
  const script = sharedScript(new Set(roots.flatMap((root) => [...pagesOf(root, context)])))
  return isOnPage ? script : `${script}-dialogs`
}

function sharedScript(pages: Set<string>): string {
  // Panels open on pages that have loaded.
  if (pages.has('comparison')) pages.delete('row-panel')
  if (pages.delete('panel') && !pages.has('evaluation')) pages.add('scenario')
  const [page] = pages
  if (page !== undefined && pages.size === 1) return page
  return SHARED.find(([, names]) => pages.isSubsetOf(new Set(names)))?.[0] ?? FIRST_LOAD
}

/** The pages that load a script which starts with this module, at once or later. */
function pagesOf(root: string, context: Rolldown.ChunkingContext, visited = new Set<string>()): Set<string> {
  const page = pageOf(root)
  if (page !== undefined) return new Set([page])
  if (visited.has(root)) return new Set()
  visited.add(root)
  const info = context.getModuleInfo(root)
  if (info?.isEntry) return new Set([FIRST_LOAD])
  const importingRoots = (info?.dynamicImporters ?? []).flatMap((importer) => rootsOf(importer, context))
  return new Set(importingRoots.flatMap((importer) => [...pagesOf(importer, context, visited)]))
}

/** The name of the page or panel whose first module this is. */
export function pageOf(root: string): string | undefined {
  return (PAGE.exec(root) ?? PANEL.exec(root))?.[1]
}

/** The first modules of all scripts that need this module: modules that are imported dynamically, and the entry. */
function rootsOf(id: string, context: Rolldown.ChunkingContext): string[] {
  const importers = new Set([id])
  for (const importer of importers) {
    for (const next of importersOf(importer, context)) importers.add(next)
  }
  return [...importers].filter((importer) => {
    const info = context.getModuleInfo(importer)
    return info && (info.isEntry || info.dynamicImporters.length > 0)
  })
}

/** All icons are imported from one module, which exports them. The importers of an icon are those that name it. */
function importersOf(id: string, context: Rolldown.ChunkingContext): readonly string[] {
  const importers = context.getModuleInfo(id)?.importers ?? []
  const file = ICON.exec(id)?.[1]
  if (file === undefined) return importers
  return importers.flatMap((list) => {
    const { code, importers: users = [] } = context.getModuleInfo(list) ?? {}
    const exported = [...(code ?? '').matchAll(EXPORTED_ICON)].find(([, , path]) => path === file)?.[1] ?? ''
    const names = [...exported.matchAll(/default as (\w+)/g)].map(([, name]) => name)
    return users.filter((user) => {
      const imported = IMPORTED_ICONS.exec(context.getModuleInfo(user)?.code ?? '')?.[1] ?? ''
      return imported.split(',').some((entry) => names.includes(entry.trim().split(' ')[0]))
    })
  })
}

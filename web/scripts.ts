// Decides which script contains a module. Each page has a script of its own; modules that pages share are in few scripts,
// because a page loads at most 150 kB of JavaScript and makes at most ten requests.
import type { Rolldown } from 'vite'

const FIRST_LOAD = 'first-load'
/** Modules that only dialogs and menus share. They load when they are first used. */
const DIALOGS = 'dialogs'

/** Scripts for modules that only these pages share. All other shared modules are in the first script. */
const SHARED: [script: string, pages: string[]][] = [
  ['table', ['evaluation', 'comparison']],
  ['reading', ['scenario', 'row-panel', 'revision', 'revision-diff']],
  ['charts', ['evaluations', 'variant']],
]

const PAGE = /\/src\/pages\/([^/]+)\/page\.tsx$/
const SCENARIO_PANEL = /\/src\/pages\/scenario\/panel\.tsx$/
const ROW_PANEL = /\/src\/pages\/comparison\/row-panel\/(row-panel)\.tsx$/

export const scriptOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
  const roots = [...rootsOf(id, context)]
  if (roots.some((root) => context.getModuleInfo(root)?.isEntry)) return FIRST_LOAD
  const pages = new Set(roots.flatMap(pageOf))
  // The panel opens on a page that has loaded.
  if (pages.has('comparison')) pages.delete('row-panel')
  const [page] = pages
  if (page === undefined) return roots.length > 1 ? DIALOGS : null
  if (pages.size === 1) return page
  const shared = SHARED.find(([, names]) => pages.isSubsetOf(new Set(names)))
  return shared?.[0] ?? FIRST_LOAD
}

/** The page whose script starts with this module. The panel with a scenario shows what its page shows. */
function pageOf(root: string): string[] {
  if (SCENARIO_PANEL.test(root)) return ['scenario']
  const name = (PAGE.exec(root) ?? ROW_PANEL.exec(root))?.[1]
  return name === undefined ? [] : [name]
}

/** The first modules of all scripts that need this module: modules that are imported dynamically, and the entry. */
function rootsOf(id: string, context: Rolldown.ChunkingContext): Set<string> {
  const roots = new Set<string>()
  const importers = new Set([id])
  for (const importer of importers) {
    const info = context.getModuleInfo(importer)
    if (!info) continue
    if (info.isEntry || info.dynamicImporters.length > 0) roots.add(importer)
    for (const next of info.importers) importers.add(next)
  }
  return roots
}

// Writes the scripts of each page to a file, which the service sends with the page as preloads.
import type { Plugin, Rolldown } from 'vite'

/** The first modules of pages, and of the panel with a row of a comparison. */
const PAGE = /\/src\/pages\/(?:comparison\/)?([^/]+)\/(?:page|row-panel)\.tsx$/

export const preloadList: Plugin = {
  name: 'preload-list',
  apply: 'build',
  generateBundle(_, bundle) {
    const scripts: Record<string, string[]> = {}
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      for (const module of chunk.moduleIds) {
        const page = PAGE.exec(module)?.[1]
        // index.html loads the first script.
        if (page !== undefined)
          scripts[page] = importsOf(chunk, bundle).filter((name) => !isEntry(bundle[name]))
      }
    }
    // The service serves no files of this folder.
    this.emitFile({ type: 'asset', fileName: 'service/preloads.json', source: JSON.stringify(scripts) })
  },
}

/** The script and all scripts that it imports. */
function importsOf({ fileName }: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const names = new Set([fileName])
  for (const name of names) {
    const chunk = bundle[name]
    for (const imported of chunk?.type === 'chunk' ? chunk.imports : []) names.add(imported)
  }
  return [...names]
}

function isEntry(file: Rolldown.OutputBundle[string] | undefined): boolean {
  return file?.type === 'chunk' && file.isEntry
}

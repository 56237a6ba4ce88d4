// Which files an import is about, and in which order.
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import { findImporter, lookedFor } from '../import/formats.ts'
import { type Importer, type ImportOptions, Unreadable } from '../import/importer.ts'
import { NotSetAside, Source } from '../import/source.ts'
import { recordLimits, type Settings } from '../settings.ts'
import { scratchFolder } from '../store/store.ts'

export interface FoundFiles {
  files: string[]
  /** Files of folders that are none of the formats. */
  skipped: string[]
}

/** A folder stands for every file in it that is of a known format. Several are taken in the order of their times. */
export async function listFiles(words: string[], settings: Settings): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [] }
  for (const word of words) {
    if (!(await isFolder(word))) found.files.push(word)
    else await addFolder(word, settings, found)
  }
  if (found.files.length === 0) {
    throw new CommandError(
      `${words.join(', ')} holds no file that Assay can read.`,
      'Name the files themselves, and --format NAME where they are of no known format.',
    )
  }
  // What can be read once is read when its turn comes.
  const canBeReadTwice = await Promise.all(found.files.map(isRegular))
  if (found.files.length < 2 || canBeReadTwice.includes(false)) return found
  return { ...found, files: await byTime(found.files, settings) }
}

export async function openFile(
  file: string,
  settings: Settings,
): Promise<{ source: Source; importer: Importer }> {
  const source = await openSource(file, scratchFolder(settings))
  try {
    const importer = findImporter(source, settings.format)
    if (importer) return { source, importer }
    throw new CommandError(
      `${source.name} is of no format that Assay knows.`,
      `${lookedFor(source, FLAGS)} --format NAME takes it for one of them.`,
    )
  } catch (error) {
    await source.close()
    throw error
  }
}

const FLAGS = '--input, --output-column, --expected, --score and --extra'

async function openSource(file: string, folder: string): Promise<Source> {
  try {
    return await (file === '-' ? Source.spool(process.stdin, file, folder) : Source.open(file, folder))
  } catch (error) {
    if (!(error instanceof NotSetAside)) throw error
    throw new CommandError(
      `Cannot set ${file} aside: ${error.message}`,
      `Check that ${folder} can be written and has room.`,
    )
  }
}

export function importOptions(settings: Settings, onRead: (bytes: number) => void): ImportOptions {
  const { evaluation, variant, input, output_column: output, expected, score, extra } = settings
  return {
    evaluation,
    variant,
    columns: { input, output, expected, score, extra },
    limits: recordLimits(settings),
    onRead,
  }
}

async function isFolder(word: string): Promise<boolean> {
  return word !== '-' && (await stat(word).catch(() => undefined))?.isDirectory() === true
}

/** What is not there is no hindrance: it is told of when it is opened. */
async function isRegular(word: string): Promise<boolean> {
  return word !== '-' && (await stat(word).catch(() => undefined))?.isFile() !== false
}

/** What tools put aside for themselves holds no results. */
const NOT_ENTERED = ['node_modules', '.git']

/** By name, those of inner folders too. Links to files are followed; folders are entered once, where they are. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new CommandError(
      `Cannot read ${folder}: ${error.message}`,
      'Check who may read it, or name the files.',
    )
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const isFile = entry.isFile() || (entry.isSymbolicLink() && !(await isFolder(path)))
    if (isFile) yield path
    else if (entry.isDirectory() && !NOT_ENTERED.includes(entry.name)) yield* filesIn(path)
  }
}

/** What only says more of other files is read with them. */
async function addFolder(folder: string, settings: Settings, found: FoundFiles): Promise<void> {
  for await (const file of filesIn(folder)) {
    const importer = await importerOf(file, settings)
    const isBeside = importer?.isBeside?.(basename(file), await readdir(dirname(file)))
    if (!isBeside) found[importer ? 'files' : 'skipped'].push(file)
  }
}

async function importerOf(file: string, settings: Settings): Promise<Importer | undefined> {
  // A link may lead nowhere, or to a pipe.
  if ((await stat(file).catch(() => undefined))?.isFile() !== true) return undefined
  const source = await Source.open(file, scratchFolder(settings))
  try {
    return findImporter(source, settings.format)
  } finally {
    await source.close()
  }
}

/** Those that do not say when they were made come last, as they were given. */
async function byTime(files: string[], settings: Settings): Promise<string[]> {
  const times = new Map<string, number>()
  for (const file of new Set(files)) {
    const { source, importer } = await openFile(file, settings)
    try {
      const { created_at } = await importer.open(
        source,
        importOptions(settings, () => undefined),
      )
      times.set(file, Date.parse(created_at ?? ''))
    } catch (error) {
      // It is told of when it is imported.
      if (!(error instanceof Unreadable)) throw error
    } finally {
      await source.close()
    }
  }
  const timeOf = (file: string) => times.get(file) || Number.MAX_VALUE
  return files.toSorted((a, b) => timeOf(a) - timeOf(b))
}

// Lists the files to import, in the order in which they are imported.

import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { CommandError, UnreadableFile } from '../../errors.ts'
import { withoutCompressionSuffix } from '../../import/encodings.ts'
import { chooseImporter, describeUnknownFormat, findImporter } from '../../import/formats.ts'
import { type Importer, type ImportOptions, NO_STORED_DATA, openImport } from '../../import/importer.ts'
import { BufferingError, Source } from '../../import/source.ts'
import { recordLimits } from '../../json/records.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import type { Settings } from '../../settings/settings.ts'
import { temporaryFolder } from '../../store/store.ts'

export interface InputFiles {
  files: string[]
  /** Files in folders that have an unknown format. */
  skipped: string[]
  /** Files that are not imported, because another one contains the same run. */
  duplicates: DuplicateFile[]
}

export interface DuplicateFile {
  file: string
  same_run_as: string
}

/** Expands folders to their files of a known format. Sorts several files by creation time. */
export async function listFiles(paths: string[], settings: Settings): Promise<InputFiles> {
  const input: InputFiles = { files: [], skipped: [], duplicates: [] }
  for (const path of paths) {
    if (!(await isFolder(path))) input.files.push(path)
    else await addFolder(path, settings, input)
  }
  if (input.files.length === 0) {
    throw new CommandError(
      `${paths.join(', ')} contains no file of a known format.`,
      'Name the files, and set their format with --format NAME.',
    )
  }
  // Sorting reads each file twice, which standard input and pipes do not support.
  const readableTwice = await Promise.all(input.files.map(isReadableTwice))
  if (input.files.length < 2 || readableTwice.includes(false)) return input
  const infos: FileInfo[] = []
  for (const file of input.files) infos.push(await describeFile(file, settings))
  const duplicates = findDuplicates(infos)
  const isDuplicate = (info: FileInfo) => duplicates.some(({ file }) => file === info.file)
  const files = sortByTime(infos).filter((info) => !isDuplicate(info))
  return { ...input, files: files.map(({ file }) => file), duplicates }
}

export async function openFile(
  file: string,
  settings: Settings,
): Promise<{ source: Source; importer: Importer }> {
  const source = await openSource(file, settings)
  try {
    const importer = chooseImporter(source, settings.format, settings.map)
    if (importer) return { source, importer }
    throw new CommandError(
      `${source.path} has an unknown format.`,
      describeUnknownFormat(source, '--map', '--format NAME: assay import --help lists all'),
    )
  } catch (error) {
    await source.close()
    throw error
  }
}

/** The folder for temporary files. A service has no local data folder. */
function folderForInput(settings: Settings): string {
  return settings.url === undefined ? temporaryFolder(settings) : tmpdir()
}

function openSource(file: string, settings: Settings): Promise<Source> {
  const folder = folderForInput(settings)
  const limits = { maxExpandedBytes: settings.max_body_bytes }
  return file === '-' ? Source.buffer(process.stdin, file, folder, limits) : Source.open(file, folder, limits)
}

/** Encoded files, standard input and pipes are buffered in a temporary file, which can fail. */
export async function convertBufferingErrors<Result>(
  settings: Settings,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BufferingError)) throw error
    throw new CommandError(
      `Cannot write a temporary file: ${error.message}`,
      `Check that ${folderForInput(settings)} is writable and has free disk space.`,
    )
  }
}

export function onConflictOf({ on_conflict = 'error', replace }: Settings): OnConflict {
  return replace ? 'replace_all' : (on_conflict as OnConflict)
}

/** Without `stored`, an importer can only be opened: events can depend on what is stored. */
export function importOptions(settings: Settings, stored = NO_STORED_DATA): ImportOptions {
  return {
    evaluation: settings.evaluation,
    variant: settings.variant,
    map: settings.map,
    on_conflict: onConflictOf(settings),
    stored,
    limits: recordLimits(settings.max_record_bytes),
  }
}

async function isFolder(path: string): Promise<boolean> {
  return path !== '-' && (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** True for missing files: the error is reported when the file is opened. */
async function isReadableTwice(path: string): Promise<boolean> {
  return path !== '-' && (await stat(path).catch(() => undefined))?.isFile() !== false
}

/** Folders of tools that contain no results. */
const IGNORED_FOLDERS = ['node_modules', '.git']

/** All files of a folder and its subfolders, by name. Follows links to files but not to folders. */
async function* walkFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new CommandError(
      `Cannot read ${folder}: ${error.message}`,
      'Check its permissions, or name the files.',
    )
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const isFile = entry.isFile() || (entry.isSymbolicLink() && !(await isFolder(path)))
    if (isFile) yield path
    else if (entry.isDirectory() && !IGNORED_FOLDERS.includes(entry.name)) yield* walkFiles(path)
  }
}

/** Adds the files of a folder. Companion files are skipped here, because they are read with their main file. */
async function addFolder(folder: string, settings: Settings, input: InputFiles): Promise<void> {
  for await (const file of walkFiles(folder)) {
    const importer = await detectImporter(file, settings)
    if (!importer || !(await isCompanion(importer, file))) input[importer ? 'files' : 'skipped'].push(file)
  }
}

async function isCompanion(importer: Importer, file: string): Promise<boolean> {
  const names = (await readdir(dirname(file))).map(withoutCompressionSuffix)
  return importer.isCompanion?.(withoutCompressionSuffix(basename(file)), names) === true
}

async function detectImporter(file: string, settings: Settings): Promise<Importer | undefined> {
  // A link can be broken, or lead to a pipe.
  if ((await stat(file).catch(() => undefined))?.isFile() !== true) return undefined
  const source = await openSource(file, settings)
  try {
    return findImporter(source, settings.format)
  } finally {
    await source.close()
  }
}

interface FileInfo {
  file: string
  size: number
  /** NaN if unknown. */
  createdAt: number
  digest: string | undefined
}

/** Reads what decides the order of files, and which of them contain the same run. */
async function describeFile(file: string, settings: Settings): Promise<FileInfo> {
  const { source, importer } = await openFile(file, settings)
  const info = { file, size: source.storedSize, createdAt: Number.NaN, digest: undefined }
  try {
    const reader = await openImport(importer, source, importOptions(settings))
    return { ...info, createdAt: Date.parse(reader.created_at ?? ''), digest: await reader.digest?.() }
  } catch (error) {
    // Reported when the file is imported.
    if (!(error instanceof UnreadableFile)) throw error
    return info
  } finally {
    await source.close()
  }
}

/** Files without a creation time come last, in the given order. */
function sortByTime(files: FileInfo[]): FileInfo[] {
  const timeOf = ({ createdAt }: FileInfo) => createdAt || Number.MAX_VALUE
  return files.toSorted((a, b) => timeOf(a) - timeOf(b))
}

/**
 * Hidden files with the same results as another file: a tool writes its latest run there too. Other files with the same
 * results are different runs.
 */
function findDuplicates(files: FileInfo[]): DuplicateFile[] {
  const isHidden = ({ file }: FileInfo) => basename(file).startsWith('.')
  const uniqueFiles = new Map(files.map((info) => [info.file, info])).values()
  const groups = Map.groupBy(uniqueFiles, ({ digest }) => digest)
  groups.delete(undefined)
  return [...groups.values()].flatMap((group) => {
    const bySize = group.toSorted((a, b) => b.size - a.size)
    const main = bySize.find((info) => !isHidden(info)) ?? bySize[0]
    const copies = group.filter((info) => isHidden(info) && info !== main)
    return main ? copies.map(({ file }) => ({ file, same_run_as: main.file })) : []
  })
}

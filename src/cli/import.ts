// assay import: takes files of results into the store, each of them whole or not at all.
import { CommandError } from '../errors.ts'
import { checkFormat, importerFor } from '../import/formats.ts'
import type { Importer } from '../import/importer.ts'
import { Source } from '../import/source.ts'
import { clipped } from '../schema/check.ts'
import type { Refusal } from '../schema/findings.ts'
import { isId } from '../schema/ids.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { type Imported, type ImportResult, StagedImport } from '../store/imports.ts'
import { ensureProject } from '../store/projects.ts'
import { type Store, scratchFolder } from '../store/store.ts'
import { type Command, print } from './command.ts'
import { megabytes, Progress, whole } from './progress.ts'
import { withStore } from './store.ts'

export interface FileReport extends ImportResult {
  file: string
  format: string
  /** Whether what is listed is in the store now. */
  stored: boolean
  /** How many records were refused, and why; the first thousand. */
  refused: number
  refusals: Refusal[]
}

export const importFiles: Command = {
  name: 'import',
  takes: 'FILE…',
  summary: 'Takes files of results into the store; - is standard input.',
  words: [1, Number.POSITIVE_INFINITY],
  async run(settings, files) {
    for (const name of ['evaluation', 'variant', 'project'] as const) {
      if (!isId(settings[name] ?? 'none'))
        throw wrongUse(`--${name} is not a name of 1 to 200 printable characters.`, 'import')
    }
    checkFormat(settings.format)
    if (files.filter((file) => file === '-').length > 1)
      throw wrongUse('Standard input can be read once.', 'import')
    const reports: FileReport[] = []
    try {
      await withStore(settings, (store) => importAll(store, settings, files, reports), !settings.dry_run)
    } finally {
      // What was stored before something failed is stored.
      if (settings.json) print(JSON.stringify(totals(reports), null, 2))
      else for (const report of reports) printReport(report, settings)
    }
    const refused = reports.filter((report) => report.refused > 0)
    if (refused.length > 0) throw someRefused(refused, settings)
  },
}

async function importAll(
  store: Store,
  settings: Settings,
  files: string[],
  reports: FileReport[],
): Promise<void> {
  for (const file of files) {
    const source = await openSource(file, settings)
    try {
      const importer = importerFor(source, settings.format)
      reports.push(await importFile(store, settings, source, importer))
    } finally {
      await source.close()
    }
  }
}

function openSource(file: string, settings: Settings): Promise<Source> {
  const folder = scratchFolder(settings)
  return file === '-' ? Source.spool(process.stdin, file, folder) : Source.open(file, folder)
}

/** Thrown to undo what was done only to see what it would do. */
class NotKept extends Error {
  override name = 'NotKept'
}

async function importFile(
  store: Store,
  settings: Settings,
  source: Source,
  importer: Importer,
): Promise<FileReport> {
  const staged = new StagedImport(scratchFolder(settings))
  const refusals = new Refusals()
  const report = { file: source.name, format: importer.name, stored: false, evaluations: [], variants: [] }
  try {
    await stage(source, importer, settings, staged, refusals)
    if (refusals.count > 0 && !settings.skip_invalid) return { ...report, ...refusals.report() }
    let result: ImportResult = report
    const progress = new Progress('Storing', whole)
    try {
      await store.writer.transaction(async (transaction) => {
        const project = await ensureProject(transaction, settings.project)
        const refuse = (refusal: Refusal) => refusals.add(refusal)
        result = await staged.store(transaction, project, refuse, (stored) =>
          progress.show(stored, staged.count),
        )
        if (settings.dry_run || (refusals.count > 0 && !settings.skip_invalid)) throw new NotKept()
      })
      return { ...report, ...result, ...refusals.report(), stored: true }
    } catch (error) {
      if (!(error instanceof NotKept)) throw error
      return { ...report, ...result, ...refusals.report() }
    } finally {
      progress.end()
    }
  } finally {
    await staged.close()
  }
}

async function stage(
  source: Source,
  importer: Importer,
  settings: Settings,
  staged: StagedImport,
  refusals: Refusals,
): Promise<void> {
  const { evaluation, variant, max_record_bytes, max_depth, max_members } = settings
  const limits = { record_bytes: max_record_bytes, depth: max_depth, members: max_members }
  const progress = new Progress(`Reading ${source.name}`, megabytes)
  const read = importer.read(source, {
    evaluation,
    variant,
    limits,
    onRead: (bytes) => progress.show(bytes, source.size),
  })
  try {
    for await (const finding of read) {
      if (finding.kind === 'refusal') refusals.add(finding)
      else await staged.add(finding)
    }
  } finally {
    progress.end()
  }
}

const LISTED = 1000

class Refusals {
  readonly #first: Refusal[] = []
  /** Records, not what is wrong with them: one record may have several faults. */
  readonly #records = new Set<number | null>()

  get count(): number {
    return this.#records.size
  }

  add({ record, line, pointer, detail }: Refusal): void {
    this.#records.add(record)
    if (this.#first.length === LISTED) return
    this.#first.push({ record, line, pointer: clipped(pointer), detail: clipped(detail) })
  }

  report(): { refused: number; refusals: Refusal[] } {
    return { refused: this.count, refusals: this.#first }
  }
}

function totals(files: FileReport[]) {
  const sum = (count: (report: FileReport) => number) => files.reduce((all, report) => all + count(report), 0)
  const of = (name: 'accepted' | 'unchanged') =>
    sum(({ evaluations, variants }) => [...evaluations, ...variants].reduce((all, one) => all + one[name], 0))
  return {
    accepted: of('accepted'),
    unchanged: of('unchanged'),
    refused: sum(({ refused }) => refused),
    files,
  }
}

function printReport(
  { file, stored, evaluations, variants, refusals }: FileReport,
  { dry_run }: Settings,
): void {
  const verb = stored ? '' : dry_run ? 'would be ' : 'not stored: '
  const line = (noun: string, elements: string, { id, accepted, unchanged }: Imported) =>
    `${file}: ${noun} ${id}: ${whole(accepted)} ${elements} ${verb}added, ${whole(unchanged)} unchanged`
  for (const evaluation of evaluations) print(line('evaluation', 'scenarios', evaluation))
  for (const variant of variants) print(line('variant', 'revisions', variant))
  if (evaluations.length + variants.length + refusals.length === 0) print(`${file}: holds no records`)
  for (const { record, line, pointer, detail } of refusals) {
    const where = [record === null ? '' : `record ${record}`, `line ${line}`, pointer].filter(
      (part) => part !== '',
    )
    print(`${file}: refused: ${where.join(', ')}: ${detail}`)
  }
}

function someRefused(reports: FileReport[], { skip_invalid, dry_run }: Settings): CommandError {
  const count = reports.reduce((all, { refused }) => all + refused, 0)
  const what = count === 1 ? 'One record was refused' : `${whole(count)} records were refused`
  if (dry_run) return new CommandError(`${what}.`, 'It was a dry run: nothing was stored.')
  if (skip_invalid)
    return new CommandError(`${what}; the others are stored.`, 'Mend them and import them again.')
  const files = reports.map(({ file }) => file).join(', ')
  return new CommandError(
    `${what}; nothing of ${files} was stored.`,
    'Mend them, or import the others with --skip-invalid.',
  )
}

// Imports Inspect AI logs: .json (one document) or .eval (a ZIP archive with one entry per sample). Both produce the
// same scenarios.
import { UnreadableFile } from '../../errors.ts'
import type { RecordLimits } from '../../json/records.ts'
import type { Json } from '../../json/value.ts'
import type { Importer } from '../importer.ts'
import { omissionNote, readDocument, readRest } from '../read-records.ts'
import type { Source } from '../source.ts'
import { describeRun, fileStem, runEvents, SampleOrder, scenarioEvents } from '../tool-run.ts'
import { ImportedStatistics } from '../tool-statistics.ts'
import { openArchive } from './archive.ts'
import { defaultScorerName, readCreatedAt, readRun, SampleIds, sortIds, statisticsNotes } from './run.ts'
import { buildScenario } from './sample.ts'
import {
  EVENT_MEMBERS,
  LARGE_MEMBERS,
  LAST_LEVEL,
  type Log,
  omittedPaths,
  SampleParser,
} from './sample-parser.ts'

const TOO_LARGE =
  'The scenario made from this sample is too large: a long explanation is repeated for each key of its scores.'

/** The first bytes of a ZIP archive, with and without entries. */
const ZIP_SIGNATURES = ['PK\x03\x04', 'PK\x05\x06']
/** Names of the first entry in an Inspect archive. */
const FIRST_ENTRY = /^(_journal\/|samples\/|(header|summaries|reductions)\.json$)/

export const inspect: Importer = {
  name: 'inspect',
  label: 'Inspect',
  description: 'logs from Inspect AI, .eval or .json',
  docs: 'how-to/import-inspect.md',
  reference: 'reference/imports/inspect.md',
  example: 'assay import ./logs',

  detects({ name, head, jsonPreview }) {
    if (isArchive(head)) {
      const firstEntry = head.length < 30 ? '' : head.toString('utf8', 30, 30 + head.readUInt16LE(26))
      return /\.eval$/i.test(name) || FIRST_ENTRY.test(firstEntry)
    }
    const has = (path: string) => jsonPreview?.paths.has(path) === true
    return jsonPreview?.shape === 'lines' && has('eval.task') && (has('eval.model') || has('eval.dataset'))
  },

  async open(source, options) {
    const open = isArchive(source.head) ? openArchive : openDocument
    const log = await open(source, options.limits)
    if (!log.header.get('eval')?.isObject)
      throw new UnreadableFile('The log has no eval object, which describes the run.')
    return {
      created_at: readCreatedAt(log.header),
      missing: describeMissing(log.header),
      async *events(created_at) {
        const { header } = log
        const run = { ...readRun(header, fileStem(source.name)), created_at }
        yield* runEvents(await describeRun(source, run, options), options)
        const listedIds = header.get('eval', 'dataset', 'sample_ids')?.elements.map(({ plain }) => plain)
        const order = new SampleOrder(listedIds ?? sortIds(await log.ids()))
        const scorer = defaultScorerName(header)
        let { hasEvents = false } = log
        const ids = new SampleIds()

        const samples = log.samples(function* (record, level) {
          const parser = new SampleParser(record, level, options.limits)
          const { row } = parser
          if (!row) return yield* parser.handleUnreadable()
          hasEvents ||= EVENT_MEMBERS.some((name) => row.members.has(name))
          const builder = buildScenario(row, scorer, parser)
          if (!builder)
            return yield* parser.reject('/id', 'A sample must have an id, which is a string or a number.')
          if (parser.isOverLimit) return yield* parser.finish([...parser.reject('', TOO_LARGE)])
          builder.id = ids.assign(builder.id, record.index)
          const sortKey = { order: order.sortKey(row.get('id')?.plain ?? '', builder.repetition ?? 1) }
          return yield* parser.finish([...scenarioEvents(builder, record, options.limits, sortKey)])
        })
        const imported = new ImportedStatistics()
        for await (const event of samples) {
          imported.add(event)
          yield event
        }
        yield* statisticsNotes(header, imported)
        if (hasEvents)
          yield omissionNote('/samples', 'events: the steps of each sample. Its messages are kept.')
      },
    }
  },
}

function describeMissing(header: Json): string {
  const count =
    header.get('results', 'total_samples')?.number ?? header.get('eval', 'dataset', 'samples')?.number
  const status = header.get('status')?.string ?? 'started'
  const samples = count === undefined ? '' : `The log lists ${count} samples. `
  const remedy =
    status === 'started'
      ? 'Import it again when the run has written samples.'
      : 'The run ended before its first sample, or the file is only the header of a log.'
  return `${samples}Its status is ${status}. ${remedy}`
}

function isArchive(head: Buffer): boolean {
  return ZIP_SIGNATURES.includes(head.toString('latin1', 0, 4))
}

/** Samples that are too large are read again in later passes. Their sort key restores their position. */
async function openDocument(source: Source, limits: RecordLimits): Promise<Log> {
  const paths = (dropped: readonly string[]) => ({
    records: ['samples'],
    passesLarge: true,
    dropped: ['reductions', 'results.sample_reductions', ...dropped.map((path) => `samples.${path}`)],
  })
  const header = await readRest(source, paths([]), limits)
  return {
    header,
    async ids() {
      const ids: string[] = []
      for await (const record of readDocument(
        source,
        paths([...omittedPaths(LAST_LEVEL), ...LARGE_MEMBERS]),
        limits,
      )) {
        const id = 'path' in record ? record.scanned?.members?.get('id') : undefined
        if (id !== undefined) ids.push(id.startsWith('"') ? (JSON.parse(id) as string) : id)
      }
      return ids
    },
    async *samples(handle) {
      let tooLarge: Set<number> | undefined
      for (let level = 0; level <= LAST_LEVEL && tooLarge?.size !== 0; level += 1) {
        const pending = tooLarge
        tooLarge = new Set()
        for await (const record of readDocument(source, paths(omittedPaths(level)), limits)) {
          if ('kind' in record) {
            // Errors of the file itself are reported only in the first pass.
            if (level === 0) yield record
          } else if (!pending || pending.has(record.index)) {
            if (!(yield* handle(record, level))) tooLarge.add(record.index)
          }
        }
      }
    },
  }
}

// Inspect AI: its logs, as .json (one document) or as .eval (a ZIP archive with an entry for each sample). Both give
// the same scenarios.
import type { Found } from '../schema/findings.ts'
import { foreignLimits, runFindings, scenarioFindings } from './foreign.ts'
import { type Importer, type ImportOptions, Unreadable } from './importer.ts'
import { openArchive } from './inspect-archive.ts'
import { Attempt, HEAVY, LAST_LEVEL, type Log, leftOut } from './inspect-attempt.ts'
import { createdAt, runOf, SampleIds, SampleOrder, scorerOf } from './inspect-run.ts'
import { draftOf } from './inspect-sample.ts'
import { readDocument, readRest } from './reading.ts'
import type { Source } from './source.ts'

const TOO_MUCH =
  'What is made of this sample is too large: its scores repeat a long text for each of their keys.'

/** What a ZIP archive begins with, be it one without entries. */
const ARCHIVE = ['PK\x03\x04', 'PK\x05\x06']
/** What an archive of Inspect may begin with. */
const FIRST_NAME = /^(_journal\/|samples\/|(header|summaries|reductions)\.json$)/

export const inspect: Importer = {
  name: 'inspect',
  reads: 'logs of Inspect AI, .eval or .json',

  claims({ name, head, opening }) {
    if (isArchive(head)) {
      const first = head.length < 30 ? '' : head.toString('utf8', 30, 30 + head.readUInt16LE(26))
      return /\.eval$/i.test(name) || FIRST_NAME.test(first)
    }
    const has = (path: string) => opening?.paths.has(path) === true
    return opening?.shape === 'lines' && has('eval.task') && (has('eval.model') || has('eval.dataset'))
  },

  async open(source, options) {
    const how = { ...options, limits: foreignLimits(options.limits) }
    const log = await (isArchive(source.head) ? openArchive(source, how) : openDocument(source, how))
    if (!log.head.get('eval')?.isObject) throw new Unreadable('The log does not say, as eval, what ran.')
    const created_at = createdAt(log.head) ?? source.modified?.toISOString()
    return { created_at, findings: () => readLog(log, source, created_at, how) }
  },
}

function isArchive(head: Buffer): boolean {
  return ARCHIVE.includes(head.toString('latin1', 0, 4))
}

async function* readLog(
  log: Log,
  source: Source,
  created_at: string | undefined,
  options: ImportOptions,
): AsyncGenerator<Found> {
  const { head } = log
  yield* runFindings(await runOf(head, source, created_at), options)
  const listed = head.get('eval', 'dataset', 'sample_ids')?.elements.map(({ plain }) => plain)
  const order = new SampleOrder(listed ?? SampleOrder.natural(await log.ids()))
  const scorer = scorerOf(head)
  const ids = new SampleIds()

  yield* log.samples(function* (record, level) {
    const attempt = new Attempt(record, level, options.limits)
    const { row } = attempt
    if (!row) return yield* attempt.ended()
    const draft = draftOf(row, scorer, attempt)
    if (!draft) return yield* attempt.refused('/id', 'A sample needs an id, which is a text or a number.')
    if (attempt.isFull) return yield* attempt.done([...attempt.refused('', TOO_MUCH)])
    draft.id = ids.of(draft.id, record.index)
    const where = { order: order.of(row.get('id')?.plain ?? '', draft.repetition ?? 1) }
    return yield* attempt.done([...scenarioFindings(draft, record, options.limits, where)])
  })
}

/** Samples that are too large are read again in a pass of their own: where they belong, their order says. */
async function openDocument(source: Source, how: ImportOptions): Promise<Log> {
  const paths = (dropped: readonly string[]) => ({
    records: ['samples'],
    passesLarge: true,
    dropped: ['reductions', 'results.sample_reductions', ...dropped.map((path) => `samples.${path}`)],
  })
  const head = await readRest(source, paths([]), how)
  const again = { ...how, onRead: () => undefined }
  return {
    head,
    async ids() {
      const ids: string[] = []
      for await (const record of readDocument(source, paths([...leftOut(LAST_LEVEL), ...HEAVY]), again)) {
        const id = 'path' in record ? record.scanned?.members?.get('id') : undefined
        if (id !== undefined) ids.push(id.startsWith('"') ? (JSON.parse(id) as string) : id)
      }
      return ids
    },
    async *samples(judge) {
      let large: Set<number> | undefined
      for (let level = 0; level <= LAST_LEVEL && large?.size !== 0; level += 1) {
        const wanted = large
        large = new Set()
        for await (const record of readDocument(source, paths(leftOut(level)), level === 0 ? how : again)) {
          if ('kind' in record) {
            // What is wrong with the file is told once.
            if (level === 0) yield record
          } else if (!wanted || wanted.has(record.index)) {
            if (!(yield* judge(record, level))) large.add(record.index)
          }
        }
      }
    },
  }
}

// /imports: a file of another tool, or of Assay itself, taken in as `assay import` does.
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { CommandError, Problem } from '../../errors.ts'
import { findImporter, IMPORTERS, lookedFor } from '../../import/formats.ts'
import { findingsOf, type Importer } from '../../import/importer.ts'
import { NotSetAside, Source } from '../../import/source.ts'
import { ID_RULES, isId } from '../../schema/ids.ts'
import type { ImportReport } from '../../schema/imports.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import { recordLimits, type Settings } from '../../settings.ts'
import { StagedImport } from '../../store/imports.ts'
import { cannotSetAside } from '../../store/spool.ts'
import { scratchFolder } from '../../store/store.ts'
import { readBody } from '../body.ts'
import { describeWrite } from '../describe.ts'
import type { App, RouteContext } from '../route.ts'

const column = (what: string) =>
  Type.Optional(
    Type.String({ description: `Of a table: the columns that are ${what}, separated by commas.` }),
  )
const query = closed({
  format: Type.Optional(
    Type.String({
      enum: IMPORTERS.map(({ name }) => name),
      description: 'What the file is; without it that is found out by its content.',
    }),
  ),
  name: Type.Optional(
    Type.String({ description: 'The name of the file, which some formats tell things by.' }),
  ),
  evaluation: Type.Optional(
    Type.String({ description: 'The evaluation that the results go to, whatever the file says.' }),
  ),
  variant: Type.Optional(
    Type.String({ description: 'The variant that was evaluated, or whose revisions these are.' }),
  ),
  dry_run: Type.Optional(Type.String({ enum: ['true', 'false'], description: 'Store nothing.' })),
  skip_invalid: Type.Optional(
    Type.String({
      enum: ['true', 'false'],
      description: 'Leave out the records that cannot be kept, and store the others.',
    }),
  ),
  input: column('inputs'),
  output: column('the output'),
  expected: column('correct answers'),
  score: column('results'),
  extra: column('kept beside the scenario'),
})
type Query = Static<typeof query>

const REPORT_EXAMPLE = {
  file: 'results.json',
  format: 'promptfoo',
  stored: true,
  evaluations: [{ id: 'eval-WJi-2026-10-01T20:08:11', accepted: 120, unchanged: 0 }],
  variants: [{ id: 'Support answers', accepted: 1, unchanged: 0 }],
  refused: 0,
  refusals: [],
  repaired: 0,
  repairs: [],
  first: [],
}

export function importRoutes(app: App, { writes, settings }: RouteContext): void {
  app.route({
    method: 'POST',
    url: '/imports',
    config: { scope: 'write' },
    schema: describeWrite({
      operationId: 'importFile',
      summary: 'Take in a file of results',
      description:
        'A file of another tool, or of Assay itself, whole or not at all. What it is is found out by its content, whatever Content-Type says. The configuration in it becomes a revision of a variant, unless it is there. The file may be compressed with gzip or zstd.',
      tag: 'evaluations',
      params: closed({}),
      querystring: query,
      body: { isFile: true },
      answer: { status: 200, schema: 'ImportReport', example: REPORT_EXAMPLE },
      errors: [],
    }),
    async handler(request, reply) {
      const { query } = request
      for (const name of ['evaluation', 'variant'] as const)
        if (!isId(query[name] ?? 'none'))
          throw new Problem('invalid-request', `'${name}' is no id. ${ID_RULES}`)
      const isDry = query.dry_run === 'true'
      const skipsInvalid = query.skip_invalid === 'true'
      try {
        return await writes.answer(request, reply, {
          read: (seen) => readFile(request, query, settings, seen),
          async store(transaction, { staged, file }) {
            const isRefused = () => staged.isRefused(skipsInvalid)
            if (isRefused()) throw new NotKept(staged.report(file, { stored: false }))
            const result = await staged.store(transaction, request.viewer.project)
            if (isDry || isRefused()) throw new NotKept(staged.report(file, { stored: false, result, isDry }))
            return { status: 200, body: JSON.stringify(staged.report(file, { stored: true, result })) }
          },
          done: ({ staged }) => staged.close(),
        })
      } catch (error) {
        if (!(error instanceof NotKept)) throw error
        if (!isDry) throw refused(error.report)
        return reply.header('cache-control', 'no-store').send(error.report)
      }
    },
  })
}

/** Thrown to undo what was done; carries what there is to say of it. */
class NotKept extends Error {
  override name = 'NotKept'
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('Not kept')
    this.report = report
  }
}

interface ReadFile {
  staged: StagedImport
  file: { file: string; format: string }
}

/** What comes in can be read once, and an importer may have to read twice: so it is put into a file first. */
async function readFile(
  request: FastifyRequest,
  query: Query,
  settings: Settings,
  seen: (chunk: Uint8Array) => void,
): Promise<ReadFile> {
  const folder = scratchFolder(settings)
  const source = await setAside(passing(readBody(request, settings), seen), query.name ?? 'import', folder)
  const staged = new StagedImport(folder)
  try {
    const importer = importerFor(source, query.format)
    for await (const found of findingsOf(importer, source, optionsOf(query, settings)))
      await staged.add(found)
    return { staged, file: { file: source.name, format: importer.name } }
  } catch (error) {
    await staged.close()
    throw error instanceof CommandError ? unfit(`${error.message} ${error.hint}`) : error
  } finally {
    await source.close()
  }
}

async function setAside(body: AsyncIterable<Buffer>, name: string, folder: string): Promise<Source> {
  try {
    return await Source.spool(body, name, folder)
  } catch (error) {
    throw error instanceof NotSetAside ? cannotSetAside(error.cause) : error
  }
}

async function* passing(chunks: AsyncIterable<Buffer>, seen: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    seen(chunk)
    yield chunk
  }
}

const FLAGS = 'input, output, expected, score and extra'

function importerFor(source: Source, format: string | undefined): Importer {
  const importer = findImporter(source, format)
  if (importer) return importer
  throw unfit(
    `The file is of no format that Assay knows. ${lookedFor(source, FLAGS)} format=NAME takes it for one of them.`,
  )
}

function optionsOf(query: Query, settings: Settings) {
  const names = (list: string | undefined) => list?.split(',').filter((name) => name !== '') ?? []
  return {
    evaluation: query.evaluation,
    variant: query.variant,
    columns: {
      input: names(query.input),
      output: names(query.output),
      expected: names(query.expected),
      score: names(query.score),
      extra: names(query.extra),
    },
    limits: recordLimits(settings),
    onRead: () => undefined,
  }
}

function unfit(detail: string): Problem {
  const members = { errors: [{ pointer: '', line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', `${detail} Nothing was stored.`, {}, { members })
}

const LISTED = 100

function refused(report: ImportReport): Problem {
  const [first] = report.refusals
  const members = { errors: listed(report), error_count: report.refusals.length, report }
  if (report.refusals.every(({ record }) => record === null)) {
    const detail = `${first?.detail} (Line ${first?.line}.) Nothing was stored.`
    return new Problem('invalid-content', detail, {}, { members })
  }
  const records = report.refused === 1 ? 'One record was' : `${report.refused} records were`
  const where = first?.record == null ? `line ${first?.line}` : `record ${first.record}, line ${first.line}`
  const detail = `${records} refused, the first (${where}) because: ${first?.detail} Nothing was stored; skip_invalid=true stores the others.`
  return new Problem('invalid-content', detail, {}, { members })
}

function listed({ refusals }: ImportReport) {
  return refusals.slice(0, LISTED).map(({ pointer, line, detail }) => ({ pointer, line, detail }))
}

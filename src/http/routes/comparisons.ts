// /comparisons: evaluations beside each other, in figures and row by row.
import type { Static } from 'typebox'
import { previewRow } from '../../rendition/rows.ts'
import { CLASSES, MOST_COMPARED, type RowClass } from '../../schema/comparisons.ts'
import { filterQuery, withNamedFilters } from '../../schema/filter-queries.ts'
import { ORDERS } from '../../schema/filters.ts'
import { WINDOW, windowQuery } from '../../schema/rows.ts'
import { closed } from '../../schema/shapes.ts'
import { Type } from '../../schema/type.ts'
import { readSides, type Side, type Sides } from '../../store/compared-sides.ts'
import { chooseEvaluator, type JoinedRow, readJoinedRows } from '../../store/comparison-rows.ts'
import { compareEvaluations, describeJoin } from '../../store/comparisons.ts'
import { type EvaluationHead, getEvaluation } from '../../store/evaluations.ts'
import { JoinedColumns } from '../../store/joined-columns.ts'
import { checkNames } from '../../store/joined-filters.ts'
import { checkJoin } from '../../store/joins.ts'
import { type KeptComparisons, versionOf } from '../../store/kept-comparisons.ts'
import type { Viewer } from '../../store/projects.ts'
import { readBodies } from '../../store/rows.ts'
import { getScenario } from '../../store/scenarios.ts'
import { findShownRows, type RowsQuestion, type Sought } from '../../store/shown-rows.ts'
import type { Connection } from '../../store/store.ts'
import { describeDocument } from '../describe.ts'
import { answerDocument, whole } from '../document.ts'
import { readAskedOrder, readFilters } from '../filters.ts'
import type { App, RouteContext } from '../route.ts'
import { startOf } from '../windows.ts'
import { COMPARISON_EXAMPLE, COMPARISON_ROWS_EXAMPLE } from './comparison-examples.ts'

const compared = {
  evaluation: Type.Array(Type.String(), {
    minItems: 2,
    maxItems: MOST_COMPARED,
    uniqueItems: true,
    description: 'The ids of the evaluations, the parameter repeated: the base first, then its candidates.',
  }),
  by: Type.Optional(
    Type.String({
      description:
        'What rows are paired by: auto (the default), id, input, input.<name> or position. auto is the first of id, input and position by which 95 % of the smaller evaluation match.',
    }),
  ),
}

const { base: _base, ...rowFilters } = filterQuery

const rowsQuery = withNamedFilters({
  ...compared,
  show: Type.Optional(
    Type.Enum(['all', ...CLASSES], {
      type: 'string',
      description: 'Only the rows of one class, by the first candidate. Default all.',
    }),
  ),
  on: Type.Optional(
    Type.String({
      description:
        'The evaluator that classes are about. Default: the first that base and first candidate both have.',
    }),
  ),
  ...windowQuery,
  locate: Type.Optional(
    Type.String({
      description:
        'The id of a scenario of the base, or of the first candidate where side says so: answers the window that holds its row, counted in steps of limit, and how many rows come before it. Where the view leaves it out, the window of the first row behind it, or of the last row. The offset does not matter then.',
    }),
  ),
  side: Type.Optional(
    Type.Enum(['base', 'candidate'], {
      type: 'string',
      description: 'Whose scenario locate names. Default base.',
    }),
  ),
  order: Type.Optional(
    Type.String({
      description: `One of ${ORDERS.join(', ')}; desc in place of asc. About the row of the first candidate; position is that of the base. Rows without a value come last. Default: the largest change first for regressed and improved, else position.`,
    }),
  ),
  ...rowFilters,
})
type RowsQuery = Static<typeof rowsQuery>

export function comparisonRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/comparisons',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'compareEvaluations',
      summary: 'How evaluations differ from a base',
      description:
        'Pairs the rows of two to four evaluations and answers, for each candidate and evaluator, means, the mean difference with its interval, one word for it, and how many rows are in each class; with what to beware of.',
      tag: 'evaluations',
      params: closed({}),
      querystring: closed(compared),
      element: 'Comparison',
      example: COMPARISON_EXAMPLE,
      notFound: ['evaluation-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation, by = 'auto' } = request.query
      const look = async (snapshot: Connection) => {
        const { heads, version } = await getHeads(snapshot, request.viewer, evaluation)
        return {
          version,
          async open() {
            const sides = await openSides(snapshot, heads, by)
            return whole(() =>
              context.comparisons.answers.get(`${versionOf(sides)} ${by}`, async () =>
                JSON.stringify(await compareEvaluations(snapshot, sides, by)),
              ),
            )
          },
        }
      }
      return answerDocument(request, reply, context, look, true)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/comparisons/rows',
    config: { scope: 'read', isConfinable: true },
    schema: describeDocument({
      operationId: 'listComparisonRows',
      summary: 'A window of paired rows',
      description:
        'Rows of the base beside those of its candidates, with long texts cut, in order of the base; behind them those that only the first candidate has. Rows that regressed or improved come with the largest change first. Filters are about the row of the first candidate, or that of the base where the candidate has none; q finds a text on either side.',
      tag: 'evaluations',
      params: closed({}),
      querystring: rowsQuery,
      element: 'ComparisonRows',
      example: COMPARISON_ROWS_EXAMPLE,
      notFound: ['evaluation-not-found', 'scenario-not-found'],
    }),
    async handler(request, reply) {
      const { evaluation, by = 'auto' } = request.query
      const show = (request.query.show ?? 'all') as RowClass | 'all'
      const filters = readFilters(request.query)
      const order = readAskedOrder(request.query)
      const look = async (snapshot: Connection) => {
        const { heads, version } = await getHeads(snapshot, request.viewer, evaluation)
        return {
          version,
          async open() {
            const sides = await openSides(snapshot, heads, by)
            checkNames(sides, filters, order)
            const on = chooseEvaluator(sides, request.query.on)
            const sought = await findSought(snapshot, sides, request.query)
            const question = { show, on, filters, order }
            return () => rowParts(request.query, snapshot, sides, context.comparisons, question, sought)
          },
        }
      }
      return answerDocument(request, reply, context, look, true)
    },
  })
}

async function getHeads(snapshot: Connection, viewer: Viewer, ids: string[]) {
  const heads: EvaluationHead[] = []
  for (const id of ids) heads.push(await getEvaluation(snapshot, viewer, id))
  return { heads, version: heads.map(({ version }) => version).join('.') }
}

/** Everything that can be refused is, before a row is looked at. */
async function openSides(snapshot: Connection, heads: EvaluationHead[], by: string): Promise<Sides> {
  const sides = await readSides(snapshot, heads)
  const [base, ...candidates] = sides
  await checkJoin(snapshot, base, candidates, by)
  return sides
}

/** The row to locate, where there is one. Throws scenario-not-found. */
async function findSought(
  snapshot: Connection,
  [base, first]: Sides,
  { locate, side = 'base' }: RowsQuery,
): Promise<Sought | undefined> {
  if (locate === undefined) return undefined
  const { key } = side === 'base' ? base : (first as Side)
  return { side: side as Sought['side'], position: (await getScenario(snapshot, key, locate)).position }
}

/** So many rows are put together before they are sent: more of them where their texts are short. */
function rowsAtOnce(preview: number): number {
  return Math.max(20, Math.min(200, Math.floor(40_000 / preview)))
}

async function* rowParts(
  { by = 'auto', offset = 0, limit = WINDOW.limit, preview = WINDOW.preview }: RowsQuery,
  snapshot: Connection,
  sides: Sides,
  kept: KeptComparisons,
  question: RowsQuestion,
  sought: Sought | undefined,
): AsyncGenerator<string> {
  const { show, on } = question
  const join = await kept.join(snapshot, sides, by)
  const columns = new JoinedColumns(snapshot, sides, join, kept)
  const { places, classes, before, located } = await findShownRows(columns, question, sought)
  const start = sought ? startOf(before, places.length, limit) : offset
  const rows = await readJoinedRows(columns, places.subarray(start, start + limit), on)
  const head = {
    join: describeJoin(join, by),
    show,
    on: on ?? null,
    total: places.length,
    offset: start,
    ...(sought && { before, located }),
    classes,
  }
  let part = `${JSON.stringify(head).slice(0, -1)},"rows":[`
  const atOnce = rowsAtOnce(preview)
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce)
    const texts = await rowTexts(snapshot, sides, some, preview)
    yield `${part}${some.map((row) => joinedText(row, texts)).join(',')}`
    part = ','
  }
  yield rows.length === 0 ? `${part}]}` : ']}'
}

type RowTexts = (side: number, position: number | null) => string

function joinedText({ base, candidates }: JoinedRow, texts: RowTexts): string {
  const others = candidates.map(
    ({ position, ...rest }, place) => `{"row":${texts(place + 1, position)},${JSON.stringify(rest).slice(1)}`,
  )
  return `{"base":${texts(0, base)},"candidates":[${others.join(',')}]}`
}

/** The text of the row at a position of one of the evaluations, counted from the base. */
async function rowTexts(
  snapshot: Connection,
  sides: Sides,
  rows: JoinedRow[],
  preview: number,
): Promise<RowTexts> {
  const texts: Map<number, string>[] = []
  for (const [side, { key }] of sides.entries()) {
    const places = rows.map(({ base, candidates }) => (side === 0 ? base : candidates[side - 1]?.position))
    const positions = Float64Array.from(places.filter((place) => typeof place === 'number'))
    const of = new Map<number, string>()
    for await (const { position, body } of readBodies(snapshot, key, positions))
      of.set(position, previewRow(position, body, preview))
    texts.push(of)
  }
  return (side, position) => (position === null ? 'null' : (texts[side]?.get(position) as string))
}

// /comparisons: compares evaluations with a baseline, in statistics and row by row.
import type { Static } from 'typebox'
import {
  Comparison,
  ComparisonRows,
  MAX_COMPARED_EVALUATIONS,
  ROW_CLASSES,
  type RowClass,
} from '../../schema/comparisons.ts'
import { filterQuery, withNamedFilters } from '../../schema/filters/filter-params.ts'
import { ORDER_PATTERN, ORDERS } from '../../schema/filters/orders.ts'
import { parseFilters } from '../../schema/filters/parse-filters.ts'
import { gateQuery } from '../../schema/gate.ts'
import { idSchema } from '../../schema/ids.ts'
import { WINDOW, windowQuery } from '../../schema/rows.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { previewRow } from '../../serialize/rows.ts'
import type { Viewer } from '../../store/access/projects.ts'
import type { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { compareEvaluations, describeJoin } from '../../store/compare/comparisons.ts'
import { JoinedColumns } from '../../store/compare/joined-columns.ts'
import { checkFilterNames } from '../../store/compare/joined-filters.ts'
import {
  type JoinedRowQuery,
  type RowReference,
  selectJoinedRows,
} from '../../store/compare/joined-row-selection.ts'
import { chooseEvaluator, type JoinedRow, readJoinedRows } from '../../store/compare/joined-rows.ts'
import { checkJoin } from '../../store/compare/joins.ts'
import { readSides, type Side, type Sides } from '../../store/compare/sides.ts'
import { type EvaluationInfo, getEvaluation } from '../../store/evaluations/evaluations.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import { readPreferences } from '../../store/reviews/preferences.ts'
import { readReviewsVersion } from '../../store/reviews/reviews.ts'
import { getScenario } from '../../store/scenarios/scenarios.ts'
import type { Connection } from '../../store/store.ts'
import { type DocumentParts, respondWithParts, respondWithText } from '../reads/document.ts'
import { pageStart } from '../reads/pagination.ts'
import { parseOrderParam } from '../request/filters.ts'
import type { App, RouteContext } from '../route-context.ts'

/** The query parameter with the join key. */
export function joinKeyQuery(description: string) {
  return { by: Type.Optional(Type.String({ pattern: '^(auto|id|position|input(\\..*)?)$', description })) }
}

const comparisonQuery = {
  evaluation: Type.Array(idSchema('The id of an evaluation.'), {
    minItems: 2,
    maxItems: MAX_COMPARED_EVALUATIONS,
    description:
      'The ids of the evaluations to compare. Repeat the parameter: the baseline first, then the candidates.',
  }),
  ...joinKeyQuery(
    'The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses the first of `id`, `input` and `position` that matches at least 95 % of the rows of the smaller evaluation.',
  ),
}

const { base: _base, ...rowFilters } = filterQuery

const rowsQuery = withNamedFilters({
  ...comparisonQuery,
  show: Type.Optional(
    Type.Enum(['all', ...ROW_CLASSES], {
      description: 'Return only rows of this class, as classified for the first candidate. Default: `all`.',
    }),
  ),
  on: Type.Optional(
    Type.String({
      description:
        'The evaluator by which rows are classified. Default: the first evaluator that the baseline and the first candidate share.',
    }),
  ),
  ...windowQuery,
  locate: Type.Optional(
    idSchema(
      'The id of a scenario of the baseline, or of the first candidate if `side` is `candidate`. Returns the window that contains its row, aligned to multiples of `limit`, and the number of rows before it. If the filters exclude the row, returns the window of the next row, or of the last row. Ignores `offset`.',
    ),
  ),
  side: Type.Optional(
    Type.Enum(['base', 'candidate'], {
      description: 'The evaluation of the scenario in `locate`. Default: `base`.',
    }),
  ),
  order: Type.Optional(
    Type.String({
      pattern: ORDER_PATTERN,
      description: `One of ${ORDERS.join(', ')}, or \`desc\` instead of \`asc\`. Sorts by the row of the first candidate; \`position\` is the position in the baseline. Rows without a value come last. Default: the largest change first if \`show\` is \`regressed\` or \`improved\`, otherwise \`position\`.`,
    }),
  ),
  ...rowFilters,
})
type RowsQuery = Static<typeof rowsQuery>

export function comparisonRoutes(app: App, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/comparisons',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'compareEvaluations',
      summary: 'Compare evaluations',
      description:
        'Matches the rows of two to four evaluations. For each candidate and evaluator, returns the means, the mean difference from the baseline with its 95 % confidence interval, an outcome (such as `better` or `worse`) and the number of rows in each class. `warnings` lists problems of the comparison.',
      tag: 'evaluations',
      querystring: strictObject({ ...comparisonQuery, ...gateQuery }),
      returns: Comparison,
      errors: ['evaluation-not-found', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { evaluation, by = 'auto', ...rules } = request.query
      const { project } = request.viewer
      const prepare = async (snapshot: Connection) => {
        const reviews: string[] = []
        for (const id of evaluation.slice(1)) reviews.push(await readReviewsVersion(snapshot, project, id))
        const { version, open } = await prepareComparison(
          snapshot,
          request.viewer,
          evaluation,
          by,
          (sides) => () =>
            context.comparisonCache.response(sides, JSON.stringify([by, rules, reviews]), async () => {
              const columns = await JoinedColumns.open(snapshot, sides, by, context.comparisonCache)
              const comparison = await compareEvaluations(columns, by, rules)
              for (const [index, candidate] of comparison.candidates.entries())
                candidate.preferences = await readPreferences(
                  snapshot,
                  project,
                  columns.baseline,
                  sides[index + 1] as Side,
                )
              const preferences = comparison.candidates.flatMap((candidate) => candidate.preferences)
              // Only the candidate has the results of a preference.
              const isOfPreference = (evaluator: string | null) =>
                preferences.some((preference) => preference.evaluator === evaluator)
              comparison.warnings = comparison.warnings.filter(
                ({ code, evaluator }) => code !== 'evaluator-missing' || !isOfPreference(evaluator),
              )
              return JSON.stringify(comparison)
            }),
        )
        return { version: [version, ...reviews].filter(Boolean).join('.'), open }
      }
      return respondWithText(reply, context, prepare, true)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/comparisons/rows',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'listComparisonRows',
      summary: 'List matched rows',
      description:
        'Returns a window of matched rows: each row of the baseline with the rows of the candidates. Long texts are truncated. Rows are in the order of the baseline, followed by rows that only the first candidate has; regressed and improved rows are sorted by the largest change. Filters apply to the row of the first candidate, or to the row of the baseline if the candidate has none. `q` searches both.',
      tag: 'evaluations',
      querystring: rowsQuery,
      returns: ComparisonRows,
      errors: ['evaluation-not-found', 'scenario-not-found', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { evaluation, by = 'auto' } = request.query
      const show = (request.query.show ?? 'all') as RowClass | 'all'
      const filters = parseFilters(request.query)
      const order = parseOrderParam(request.query)
      const prepare = (snapshot: Connection) =>
        prepareComparison(snapshot, request.viewer, evaluation, by, async (sides) => {
          checkFilterNames(sides, filters, order)
          const on = chooseEvaluator(sides, request.query.on)
          const target = await findLocatedRow(snapshot, sides, request.query)
          const rowQuery = { show, on, filters, order }
          const read = () =>
            serializeRows(request.query, snapshot, sides, context.comparisonCache, rowQuery, target)
          return { read } satisfies DocumentParts
        })
      return respondWithParts(reply, context, prepare, true)
    },
  })
}

/** Validates the join before any row is read. */
export async function prepareComparison<Content>(
  snapshot: Connection,
  viewer: Viewer,
  ids: string[],
  by: string,
  openDocument: (sides: Sides) => Content | Promise<Content>,
) {
  const evaluations: EvaluationInfo[] = []
  for (const id of ids) evaluations.push(await getEvaluation(snapshot, viewer, id))
  return {
    version: evaluations.map(({ version }) => version).join('.'),
    async open() {
      const sides = await readSides(snapshot, evaluations)
      const [baseline, ...candidates] = sides
      await checkJoin(snapshot, baseline, candidates, by)
      return openDocument(sides)
    },
  }
}

/** The row that `locate` names, if it is set. Throws scenario-not-found. */
async function findLocatedRow(
  snapshot: Connection,
  [baseline, firstCandidate]: Sides,
  { locate, side = 'base' }: RowsQuery,
): Promise<RowReference | undefined> {
  if (locate === undefined) return undefined
  const { key } = side === 'base' ? baseline : (firstCandidate as Side)
  return { side: side as RowReference['side'], position: (await getScenario(snapshot, key, locate)).position }
}

/** The number of rows per part of the response: more rows if their texts are shorter. */
function rowsPerPart(preview: number): number {
  return Math.max(20, Math.min(200, Math.floor(40_000 / preview)))
}

async function* serializeRows(
  { by = 'auto', offset = 0, limit = WINDOW.limit, preview = WINDOW.preview }: RowsQuery,
  snapshot: Connection,
  sides: Sides,
  cache: ComparisonCache,
  rowQuery: JoinedRowQuery,
  target: RowReference | undefined,
): AsyncGenerator<string> {
  const { show, on } = rowQuery
  const columns = await JoinedColumns.open(snapshot, sides, by, cache)
  const { rowNumbers, classes, before, located } = await selectJoinedRows(columns, rowQuery, target)
  const start = target ? pageStart(before, rowNumbers.length, limit) : offset
  const rows = await readJoinedRows(columns, rowNumbers.subarray(start, start + limit), on)
  const header = {
    join: describeJoin(columns.join, by),
    show,
    on: on ?? null,
    total: rowNumbers.length,
    offset: start,
    ...(target && { before, located }),
    classes,
  }
  let part = `${JSON.stringify(header).slice(0, -1)},"rows":[`
  const partSize = rowsPerPart(preview)
  for (let index = 0; index < rows.length; index += partSize) {
    const partRows = rows.slice(index, index + partSize)
    const getRowText = await readRowTexts(snapshot, sides, partRows, preview)
    yield `${part}${partRows.map((row) => serializeJoinedRow(row, getRowText)).join(',')}`
    part = ','
  }
  yield rows.length === 0 ? `${part}]}` : ']}'
}

type GetRowText = (side: number, position: number | null) => string

function serializeJoinedRow({ baseline, candidates, ...base }: JoinedRow, getRowText: GetRowText): string {
  const candidateTexts = candidates.map(
    ({ position, ...scores }, index) =>
      `{"row":${getRowText(index + 1, position)},${JSON.stringify(scores).slice(1)}`,
  )
  const baseScores = JSON.stringify(base).slice(1, -1)
  return `{"base":${getRowText(0, baseline)},${baseScores},"candidates":[${candidateTexts.join(',')}]}`
}

/** Reads the rows of all sides as JSON. Side 0 is the baseline. */
async function readRowTexts(
  snapshot: Connection,
  sides: Sides,
  rows: JoinedRow[],
  preview: number,
): Promise<GetRowText> {
  const textsBySide: Map<number, string>[] = []
  for (const [side, { key }] of sides.entries()) {
    const sidePositions = rows.map(({ baseline, candidates }) =>
      side === 0 ? baseline : candidates[side - 1]?.position,
    )
    const positions = Float64Array.from(sidePositions.filter((position) => typeof position === 'number'))
    const sideTexts = new Map<number, string>()
    for await (const { position, body } of readBodies(snapshot, key, positions))
      sideTexts.set(position, previewRow(position, body, preview))
    textsBySide.push(sideTexts)
  }
  return (side, position) => (position === null ? 'null' : (textsBySide[side]?.get(position) as string))
}

// /leaderboards: ranks evaluations over the rows that all of them have, and returns such rows.
import type { Static } from 'typebox'
import { Problem } from '../../errors.ts'
import { Leaderboard, LeaderboardRows, MAX_RANKED_EVALUATIONS } from '../../schema/analysis/leaderboards.ts'
import { EVALUATION_FILTERS } from '../../schema/filters/fields.ts'
import { listFilterQuery } from '../../schema/filters/filter-params.ts'
import { NEWEST_FIRST } from '../../schema/filters/orders.ts'
import { parseListFilters } from '../../schema/filters/parse-filters.ts'
import { idSchema } from '../../schema/ids.ts'
import { documentFormatQuery } from '../../schema/pages.ts'
import { WINDOW, windowQuery } from '../../schema/rows.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import { leaderboardRowTable, leaderboardTable } from '../../serialize/leaderboards.ts'
import { previewRow } from '../../serialize/rows.ts'
import { outsideRestrictionError, type Viewer } from '../../store/access/projects.ts'
import { describeJoin } from '../../store/compare/comparisons.ts'
import { rankRuns } from '../../store/compare/leaderboards/leaderboard.ts'
import { readCells, sortBySpread } from '../../store/compare/leaderboards/leaderboard-rows.ts'
import { openRuns, type Runs } from '../../store/compare/leaderboards/runs.ts'
import { readSides, type Side } from '../../store/compare/sides.ts'
import { EVALUATIONS, type EvaluationInfo, getEvaluation } from '../../store/evaluations/evaluations.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import { readList } from '../../store/reads/lists.ts'
import { roundStatistic } from '../../store/statistics/rounding.ts'
import type { Connection } from '../../store/store.ts'
import { respondWithText } from '../reads/document.ts'
import type { App, RouteContext } from '../route-context.ts'
import { joinKeyQuery } from './comparisons.ts'

const { order: _order, ...listFilters } = listFilterQuery(EVALUATION_FILTERS)

const leaderboardQuery = {
  evaluation: Type.Optional(
    Type.Array(idSchema('The id of an evaluation.'), {
      maxItems: MAX_RANKED_EVALUATIONS,
      description: `The ids of the evaluations to rank: 2 to ${MAX_RANKED_EVALUATIONS}. Repeat the parameter. Without it, the newest ${MAX_RANKED_EVALUATIONS} evaluations that match the filters.`,
    }),
  ),
  on: Type.Optional(
    Type.String({
      description: 'The evaluator to rank by. Default: the one that the most evaluations have.',
    }),
  ),
  ...joinKeyQuery(
    'The join key that matches rows: `auto` (the default), `id`, `input`, `input.<name>` or `position`. `auto` uses `id` if it matches at least 95 % of the rows, otherwise the better one of `id` and `input`.',
  ),
  ...listFilters,
  ...documentFormatQuery,
}
const rowsQuery = strictObject({ ...leaderboardQuery, ...windowQuery })
type LeaderboardQuery = Static<typeof rowsQuery>

export function leaderboardRoutes(app: App, context: RouteContext): void {
  const { comparisonCache } = context
  app.route({
    method: ['GET', 'HEAD'],
    url: '/leaderboards',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'getLeaderboard',
      summary: 'Rank evaluations',
      description:
        'Ranks 2 to 50 evaluations by the mean score of an evaluator over the rows that have a score in all of them. Ranks are ranges: only certain differences order two evaluations, at a confidence that is corrected for the number of pairs. Each evaluation has its paired change relative to the best one, its cost and latency, and whether it is on the frontier of score against either.',
      tag: 'evaluations',
      querystring: strictObject(leaderboardQuery),
      returns: Leaderboard,
      errors: ['evaluation-not-found', 'nothing-to-rank', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { query, viewer } = request
      const prepare = (snapshot: Connection) =>
        prepareLeaderboard(snapshot, viewer, query, (sides) => () => {
          const { on, by = 'auto' } = query
          const key = `leaderboard ${JSON.stringify([on, by])}`
          return comparisonCache.response(sides, key, async () => {
            const runs = await openRuns(snapshot, sides, { on, by }, comparisonCache)
            return JSON.stringify(await rankRuns(runs, by))
          })
        })
      return respondWithText(reply, context, prepare, true, leaderboardTable)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/leaderboards/rows',
    config: { scope: 'read', allowsRestrictedKeys: true },
    schema: {
      operationId: 'listLeaderboardRows',
      summary: 'List rows of a leaderboard',
      description:
        'Returns a window of the rows of the evaluation with the most rows, with the state and score of each row in each evaluation. The rows whose scores differ the most come first. Long texts are truncated.',
      tag: 'evaluations',
      querystring: rowsQuery,
      returns: LeaderboardRows,
      errors: ['evaluation-not-found', 'nothing-to-rank', 'too-many-queries', 'query-timeout'],
    },
    async handler(request, reply) {
      const { query, viewer } = request
      const prepare = (snapshot: Connection) =>
        prepareLeaderboard(snapshot, viewer, query, async (sides) => {
          const { on, by = 'auto' } = query
          const runs = await openRuns(snapshot, sides, { on, by }, comparisonCache)
          return () => serializeRows(snapshot, runs, query)
        })
      return respondWithText(reply, context, prepare, true, leaderboardRowTable)
    },
  })
}

async function prepareLeaderboard<Parts>(
  snapshot: Connection,
  viewer: Viewer,
  query: LeaderboardQuery,
  open: (sides: Side[]) => Parts | Promise<Parts>,
) {
  const evaluations = await selectEvaluations(snapshot, viewer, query)
  return {
    version: evaluations.map(({ version }) => version).join('.'),
    open: async () => open(await readSides(snapshot, evaluations)),
  }
}

/** Throws invalid-request if the selection is not 2 to 50 evaluations. */
async function selectEvaluations(
  snapshot: Connection,
  viewer: Viewer,
  query: LeaderboardQuery,
): Promise<EvaluationInfo[]> {
  const filters = parseListFilters(EVALUATION_FILTERS, query)
  let ids: string[] = [...new Set(query.evaluation)]
  if (ids.length > 0 && filters.length > 0)
    throw new Problem('invalid-request', `Set either 'evaluation' or filters of evaluations, not both.`)
  if (filters.length > 0) {
    // A share link opens the evaluations that it names, and finds no others.
    if (viewer.confined_to) throw outsideRestrictionError(viewer.confined_to)
    const selection = { list: EVALUATIONS, project: viewer.project, filters, order: NEWEST_FIRST }
    const { elements } = await readList(snapshot, selection, undefined, MAX_RANKED_EVALUATIONS)
    ids = elements.map((element) => (JSON.parse(element) as { id: string }).id)
  }
  if (ids.length < 2)
    throw new Problem(
      'invalid-request',
      `A leaderboard needs at least 2 evaluations, but there ${ids.length === 1 ? 'is 1' : 'are none'}. Repeat the parameter 'evaluation', or set filters that match more of them, such as variant_id=eq.support-answer.`,
    )
  if (ids.length > MAX_RANKED_EVALUATIONS)
    throw new Problem(
      'invalid-request',
      `A leaderboard ranks at most ${MAX_RANKED_EVALUATIONS} evaluations, not ${ids.length}.`,
    )
  const evaluations: EvaluationInfo[] = []
  for (const id of ids) evaluations.push(await getEvaluation(snapshot, viewer, id))
  return evaluations
}

async function serializeRows(
  snapshot: Connection,
  runs: Runs,
  { by = 'auto', offset = 0, limit = WINDOW.limit, preview = WINDOW.preview }: LeaderboardQuery,
): Promise<string> {
  const { rows, deviations } = sortBySpread(runs)
  const window = rows.subarray(offset, offset + limit)
  const cells = await readCells(runs, window)
  const texts = new Map<number, string>()
  for await (const { position, body } of readBodies(snapshot, runs.reference.key, Float64Array.from(window)))
    texts.set(position, previewRow(position, body, preview))
  const header = {
    on: runs.on,
    higher_is_better: runs.higherIsBetter,
    is_verdict: runs.areVerdicts,
    join: describeJoin(runs.columns.join, by),
    evaluations: runs.runs.map(({ side }) => side.info.id),
    shared_rows: runs.shared.length,
    total: rows.length,
    offset,
  }
  const elements = Array.from(window, (row, index) => {
    const spread = roundStatistic(deviations[row])
    return `{"row":${texts.get(row)},${JSON.stringify({ spread, cells: cells[index] }).slice(1)}`
  })
  return `${JSON.stringify(header).slice(0, -1)},"rows":[${elements.join(',')}]}`
}

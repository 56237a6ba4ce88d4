// Queries over the evaluations `base` and `candidate`, each as an API path and as hand-written SQL.

export type Engine = 'sqlite' | 'postgres'

/** The engine, and the database keys of the evaluations. */
export interface Subject {
  engine: Engine
  base: number
  candidate: number
}

export interface Query {
  name: string
  path: string
  sql(subject: Subject): string
}

const ROWS = '/api/evaluations/candidate/rows'

/** Selects the bodies of the rows at these positions. */
export function selectBodies(candidate: number, positions: string): string {
  return `SELECT scenario.position, scenario.id, scenario.body, chosen.total FROM (${positions}) AS chosen
    CROSS JOIN scenario WHERE scenario.evaluation = ${candidate} AND scenario.position = chosen.position`
}

export const QUERIES: Query[] = [
  {
    name: 'window',
    path: `${ROWS}?offset=50000`,
    sql: ({ candidate }) =>
      selectBodies(
        candidate,
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${candidate}) AS total
         FROM measure WHERE evaluation = ${candidate} ORDER BY position LIMIT 200 OFFSET 50000`,
      ),
  },
  {
    name: 'filter',
    path: `${ROWS}?result.exact_match=is.false&latency=gt.1.5`,
    sql: ({ candidate }) =>
      selectBodies(
        candidate,
        `SELECT measure.position, count(*) OVER () AS total FROM measure CROSS JOIN result
         WHERE measure.evaluation = ${candidate} AND measure.latency > 1.5 AND result.evaluation = ${candidate}
           AND result.evaluator = 0 AND result.position = measure.position AND result.number = 0
         ORDER BY measure.position LIMIT 200`,
      ),
  },
  {
    name: 'sort by latency',
    path: `${ROWS}?order=latency.desc&offset=20000`,
    sql: ({ candidate }) =>
      selectBodies(
        candidate,
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${candidate}) AS total
         FROM measure WHERE evaluation = ${candidate} ORDER BY latency DESC NULLS LAST, position LIMIT 200 OFFSET 20000`,
      ),
  },
  {
    name: 'sort by result',
    path: `${ROWS}?order=result.similarity.asc&offset=20000`,
    sql: ({ candidate }) =>
      selectBodies(
        candidate,
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${candidate}) AS total
         FROM result WHERE evaluation = ${candidate} AND evaluator = 1
         ORDER BY number NULLS LAST, position LIMIT 200 OFFSET 20000`,
      ),
  },
  {
    name: 'search',
    path: `${ROWS}?q=5zwh%205zwh`,
    sql: ({ engine, candidate }) =>
      selectBodies(
        candidate,
        `SELECT position, count(*) OVER () AS total FROM ${engine === 'sqlite' ? 'scenario' : 'search'}
         WHERE evaluation = ${candidate} AND ${engine === 'sqlite' ? `body LIKE '%5zwh 5zwh%'` : `strpos(text, '5zwh 5zwh') > 0`}
         ORDER BY position LIMIT 200`,
      ),
  },
  { name: 'summary', path: '/api/evaluations/candidate/summary', sql: summary },
  { name: 'comparison', path: '/api/comparisons?evaluation=base&evaluation=candidate', sql: comparison },
]

function quantiles(engine: Engine, column: string): string {
  const quantile = (fraction: number) =>
    engine === 'sqlite'
      ? `percentile(${column}, ${100 * fraction})`
      : `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${column})`
  return [0.05, 0.25, 0.5, 0.75, 0.95].map(quantile).join(', ')
}

/** Statistics and histogram bins of a column, grouped by another column. */
function statistics(engine: Engine, group: string, column: string, rows: string): string {
  const minimum = engine === 'sqlite' ? 'min' : 'least'
  return `SELECT ${group} AS what, NULL AS bin, count(${column}) AS n, avg(${column}), min(${column}), max(${column}),
      ${quantiles(engine, column)} FROM ${rows} GROUP BY ${group}
    UNION ALL
    SELECT what, bin, count(*), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM (
      SELECT ${group} AS what, ${minimum}(19, floor(20 * (${column} - low) / (high - low))) AS bin
      FROM (SELECT ${group} AS grouped, min(${column}) AS low, max(${column}) AS high FROM ${rows} GROUP BY ${group}) AS ends
      CROSS JOIN ${rows} AND ${group} = grouped AND ${column} IS NOT NULL) AS binned GROUP BY what, bin`
}

function summary({ engine, candidate }: Subject): string {
  const results = `result WHERE evaluation = ${candidate}`
  const measures = `measure WHERE evaluation = ${candidate}`
  return [
    statistics(engine, 'evaluator', 'number', results),
    statistics(engine, 'evaluation', 'cost', measures),
    statistics(engine, 'evaluation', 'latency', measures),
  ].join(' UNION ALL ')
}

/** Counts, means, deltas and their variance for both evaluators, cost and latency, over rows matched by id. */
function comparison({ base, candidate }: Subject): string {
  const paired = (what: string, table: string, a: string, b: string, more: string) =>
    `SELECT ${what} AS what, ${a} AS base, ${b} AS score, ${b} - ${a} AS delta
     FROM pair CROSS JOIN ${table} AS a CROSS JOIN ${table} AS b
     WHERE a.evaluation = ${base} AND a.position = pair.base_position AND b.evaluation = ${candidate} AND b.position = pair.position ${more}`
  const evaluator = (ordinal: number) =>
    paired(
      String(ordinal),
      'result',
      'a.number',
      'b.number',
      `AND a.evaluator = ${ordinal} AND b.evaluator = ${ordinal}`,
    )
  const compared = [
    evaluator(0),
    evaluator(1),
    paired('2', 'measure', 'a.cost', 'b.cost', ''),
    paired('3', 'measure', 'a.latency', 'b.latency', ''),
  ].map(
    (rows) => `SELECT what, count(delta), avg(base), avg(score), avg(delta), sum(delta * delta),
      count(*) FILTER (WHERE delta > 0), count(*) FILTER (WHERE delta < 0) FROM (${rows}) AS compared GROUP BY what`,
  )
  return `WITH pair AS MATERIALIZED (SELECT a.position AS base_position, b.position AS position
      FROM scenario AS a CROSS JOIN scenario AS b WHERE a.evaluation = ${base} AND b.evaluation = ${candidate} AND b.id = a.id)
    ${compared.join(' UNION ALL ')}
    UNION ALL SELECT 4, count(*), NULL, NULL, NULL, NULL, count(*) FILTER (WHERE a.output_hash <> b.output_hash),
      count(*) FILTER (WHERE a.expected_hash <> b.expected_hash)
    FROM pair CROSS JOIN measure AS a CROSS JOIN measure AS b
    WHERE a.evaluation = ${base} AND a.position = pair.base_position AND b.evaluation = ${candidate} AND b.position = pair.position`
}

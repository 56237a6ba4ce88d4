// Questions over two evaluations of a store, `base` (its first) and `candidate` (its second), as a client asks them
// and as one statement would that someone writes who knows the tables.

export type Engine = 'sqlite' | 'postgres'

export interface Question {
  name: string
  path: string
  sql(engine: Engine): string
}

const ROWS = '/api/evaluations/candidate/rows'
const LAST = 2

/** The first rows of an order, with their bodies. */
function bodies(positions: string): string {
  return `SELECT scenario.position, scenario.id, scenario.body, chosen.total FROM (${positions}) AS chosen
    CROSS JOIN scenario WHERE scenario.evaluation = ${LAST} AND scenario.position = chosen.position`
}

export const QUESTIONS: Question[] = [
  {
    name: 'window',
    path: `${ROWS}?offset=50000`,
    sql: () =>
      bodies(
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${LAST}) AS total
         FROM measure WHERE evaluation = ${LAST} ORDER BY position LIMIT 200 OFFSET 50000`,
      ),
  },
  {
    name: 'filter',
    path: `${ROWS}?result.exact_match=is.false&latency=gt.1.5`,
    sql: () =>
      bodies(
        `SELECT measure.position, count(*) OVER () AS total FROM measure CROSS JOIN result
         WHERE measure.evaluation = ${LAST} AND measure.latency > 1.5 AND result.evaluation = ${LAST}
           AND result.evaluator = 0 AND result.position = measure.position AND result.number = 0
         ORDER BY measure.position LIMIT 200`,
      ),
  },
  {
    name: 'sort by latency',
    path: `${ROWS}?order=latency.desc&offset=20000`,
    sql: () =>
      bodies(
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${LAST}) AS total
         FROM measure WHERE evaluation = ${LAST} ORDER BY latency DESC NULLS LAST, position LIMIT 200 OFFSET 20000`,
      ),
  },
  {
    name: 'sort by result',
    path: `${ROWS}?order=result.similarity.asc&offset=20000`,
    sql: () =>
      bodies(
        `SELECT position, (SELECT scenario_count FROM evaluation WHERE key = ${LAST}) AS total
         FROM result WHERE evaluation = ${LAST} AND evaluator = 1
         ORDER BY number NULLS LAST, position LIMIT 200 OFFSET 20000`,
      ),
  },
  {
    name: 'search',
    path: `${ROWS}?q=5zwh%205zwh`,
    sql: (engine) =>
      bodies(
        `SELECT position, count(*) OVER () AS total FROM search WHERE evaluation = ${LAST}
         AND ${engine === 'sqlite' ? 'instr' : 'strpos'}(text, '5zwh 5zwh') > 0 ORDER BY position LIMIT 200`,
      ),
  },
  { name: 'summary', path: '/api/evaluations/candidate/summary', sql: summary },
  { name: 'comparison', path: '/api/comparisons?evaluation=base&evaluation=candidate', sql: comparison },
]

function quantiles(engine: Engine, column: string): string {
  const one = (fraction: number) =>
    engine === 'sqlite'
      ? `percentile(${column}, ${100 * fraction})`
      : `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${column})`
  return [0.05, 0.25, 0.5, 0.75, 0.95].map(one).join(', ')
}

/** Figures and bins of a column, in rows with what they are of. */
function figures(engine: Engine, of: string, column: string, rows: string): string {
  const least = engine === 'sqlite' ? 'min' : 'least'
  return `SELECT ${of} AS what, NULL AS bin, count(${column}) AS n, avg(${column}), min(${column}), max(${column}),
      ${quantiles(engine, column)} FROM ${rows} GROUP BY ${of}
    UNION ALL
    SELECT what, bin, count(*), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM (
      SELECT ${of} AS what, ${least}(19, floor(20 * (${column} - low) / (high - low))) AS bin
      FROM (SELECT ${of} AS grouped, min(${column}) AS low, max(${column}) AS high FROM ${rows} GROUP BY ${of}) AS ends
      CROSS JOIN ${rows} AND ${of} = grouped AND ${column} IS NOT NULL) AS binned GROUP BY what, bin`
}

function summary(engine: Engine): string {
  const results = `result WHERE evaluation = ${LAST}`
  const measures = `measure WHERE evaluation = ${LAST}`
  return [
    figures(engine, 'evaluator', 'number', results),
    figures(engine, 'evaluation', 'cost', measures),
    figures(engine, 'evaluation', 'latency', measures),
  ].join(' UNION ALL ')
}

/** Counts, means, deltas and their spread for both evaluators, cost and latency, over the rows with the same id. */
function comparison(): string {
  const paired = (what: string, table: string, a: string, b: string, more: string) =>
    `SELECT ${what} AS what, ${a} AS base, ${b} AS score, ${b} - ${a} AS delta
     FROM pair CROSS JOIN ${table} AS a CROSS JOIN ${table} AS b
     WHERE a.evaluation = 1 AND a.position = pair.base_position AND b.evaluation = 2 AND b.position = pair.position ${more}`
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
      FROM scenario AS a CROSS JOIN scenario AS b WHERE a.evaluation = 1 AND b.evaluation = 2 AND b.id = a.id)
    ${compared.join(' UNION ALL ')}
    UNION ALL SELECT 4, count(*), NULL, NULL, NULL, NULL, count(*) FILTER (WHERE a.output_hash <> b.output_hash),
      count(*) FILTER (WHERE a.expected_hash <> b.expected_hash)
    FROM pair CROSS JOIN measure AS a CROSS JOIN measure AS b
    WHERE a.evaluation = 1 AND a.position = pair.base_position AND b.evaluation = 2 AND b.position = pair.position`
}

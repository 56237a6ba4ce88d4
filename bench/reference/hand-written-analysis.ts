// Breakdowns, agreements and histories of the evaluations `base` and `candidate`, each as an API path and as hand-written SQL.
import type { Query, Subject } from './hand-written-queries.ts'

/** The evaluators of the data, in order. */
export const EVALUATORS = ['exact_match', 'similarity', 'human', 'rating']
/** The inputs of the data, in order, and their number of different values. */
export const INPUTS = { question: 100_000, topic: 20, customer: 50_000 }
/** The evaluations of the variant of the history, and the scenarios of each. */
export const HISTORY = { variant: 'history', evaluations: 100, scenarios: 1000 }

const EVALUATION = '/api/evaluations/candidate'
const MAX_GROUPS = 200

export const ANALYSIS_QUERIES: Query[] = [
  ...(['topic', 'customer'] as const).flatMap((input): Query[] => {
    const path = `${EVALUATION}/breakdown?by=input.${input}`
    return [
      { name: `breakdown by ${INPUTS[input]} values`, path, sql: (subject) => breakdown(subject, input) },
      {
        name: `breakdown by ${INPUTS[input]} values with a baseline`,
        path: `${path}&base=base`,
        sql: (subject) => breakdownWithBaseline(subject, input),
      },
    ]
  }),
  {
    name: 'agreement of verdicts',
    path: `${EVALUATION}/agreement?evaluator=exact_match&with=human`,
    sql: ({ candidate }) =>
      `SELECT a.number AS a, b.number AS b, count(*) FROM ${both(candidate, 0, 2)} GROUP BY 1, 2`,
  },
  {
    name: 'agreement of numbers',
    path: `${EVALUATION}/agreement?evaluator=similarity&with=rating`,
    sql: numberAgreement,
  },
  {
    name: 'agreement of numbers with verdicts',
    path: `${EVALUATION}/agreement?evaluator=similarity&with=human`,
    sql: bestThreshold,
  },
  {
    name: `history in ${HISTORY.evaluations} evaluations`,
    path: '/api/evaluations/history-0/evaluation_scenarios/scenario-7/history',
    sql: () => `SELECT evaluation.id, evaluation.name, evaluation.revision, evaluation.created_at, scenario.id AS scenario_id,
        scenario.body, measure.cost, measure.latency, measure.output_hash
      FROM (SELECT * FROM evaluation WHERE variant_id = '${HISTORY.variant}'
          AND project = (SELECT key FROM project WHERE name = 'default')
        ORDER BY created_at DESC, key DESC LIMIT ${HISTORY.evaluations}) AS evaluation
      CROSS JOIN scenario CROSS JOIN measure
      WHERE scenario.evaluation = evaluation.key AND scenario.id = 'scenario-7'
        AND NOT EXISTS (SELECT 1 FROM generated_id
          WHERE generated_id.evaluation = scenario.evaluation AND generated_id.position = scenario.position)
        AND measure.evaluation = evaluation.key AND measure.position = scenario.position`,
  },
]

/** The rows with a group number: the groups with the most rows by rank, and 0 for all others. */
function groupedRows({ candidate }: Subject, input: keyof typeof INPUTS): string {
  const rows = `input WHERE evaluation = ${candidate} AND input = ${Object.keys(INPUTS).indexOf(input)}`
  return `groups AS MATERIALIZED (SELECT hash, count(*) AS n, min(position) AS first FROM ${rows} GROUP BY hash),
    ranked AS MATERIALIZED (SELECT hash, first, row_number() OVER (ORDER BY n DESC, first) AS rank FROM groups),
    grouped AS MATERIALIZED (SELECT position, CASE WHEN rank <= ${MAX_GROUPS} THEN rank ELSE 0 END AS number
      FROM input JOIN ranked ON ranked.hash = input.hash
      WHERE evaluation = ${candidate} AND input = ${Object.keys(INPUTS).indexOf(input)})`
}

/** Statistics of each group, without a baseline. */
function groupStatistics({ candidate }: Subject): string {
  return `SELECT grouped.number AS number, -1 AS what, count(*) AS n, sum(has_error) AS a, count(cost) AS b, avg(cost) AS c,
      count(latency) AS d, avg(latency) AS e, NULL AS body
    FROM grouped JOIN measure ON measure.evaluation = ${candidate} AND measure.position = grouped.position GROUP BY 1
    UNION ALL
    SELECT grouped.number, evaluator, count(result.number), sum(is_error), NULL, avg(result.number), NULL, NULL, NULL
    FROM grouped JOIN result ON result.evaluation = ${candidate} AND result.position = grouped.position GROUP BY 1, 2`
}

/** The first scenario of each group, which contains the value of the input. */
function firstBodies({ candidate }: Subject): string {
  return `SELECT rank, -2, NULL, NULL, NULL, NULL, NULL, NULL, body FROM ranked
    JOIN scenario ON scenario.evaluation = ${candidate} AND scenario.position = ranked.first WHERE rank <= ${MAX_GROUPS}`
}

function breakdown(subject: Subject, input: keyof typeof INPUTS): string {
  return `WITH ${groupedRows(subject, input)} ${groupStatistics(subject)} UNION ALL ${firstBodies(subject)}`
}

/** Also counts, means, differences and their squares over rows matched by id. */
function breakdownWithBaseline(subject: Subject, input: keyof typeof INPUTS): string {
  const { base, candidate } = subject
  const paired = (what: string, table: string, column: string, more = '') =>
    `SELECT number, ${what}, count(delta), sum(delta * delta), count(*) FILTER (WHERE delta > 0), avg(base),
      count(*) FILTER (WHERE delta < 0), avg(delta), NULL
    FROM (SELECT grouped.number AS number, a.${column} AS base, b.${column} - a.${column} AS delta
      FROM grouped CROSS JOIN pair CROSS JOIN ${table} AS a CROSS JOIN ${table} AS b
      WHERE pair.position = grouped.position AND a.evaluation = ${base} AND a.position = pair.base_position
        AND b.evaluation = ${candidate} AND b.position = pair.position ${more}) AS compared GROUP BY 1`
  const evaluators = EVALUATORS.map((_, ordinal) =>
    paired(
      String(10 + ordinal),
      'result',
      'number',
      `AND a.evaluator = ${ordinal} AND b.evaluator = ${ordinal}`,
    ),
  )
  const changes = [...evaluators, paired('20', 'measure', 'cost'), paired('21', 'measure', 'latency')]
  return `WITH ${groupedRows(subject, input)}, pair AS MATERIALIZED (SELECT a.position AS base_position, b.position AS position
      FROM scenario AS a CROSS JOIN scenario AS b WHERE a.evaluation = ${base} AND b.evaluation = ${candidate} AND b.id = a.id)
    ${[groupStatistics(subject), firstBodies(subject), ...changes].join(' UNION ALL ')}`
}

function both(candidate: number, a: number, b: number): string {
  return `result AS a CROSS JOIN result AS b WHERE a.evaluation = ${candidate} AND a.evaluator = ${a}
    AND b.evaluation = ${candidate} AND b.evaluator = ${b} AND b.position = a.position`
}

/** Spearman's rank correlation with mean ranks for ties, and the mean absolute difference. */
function numberAgreement({ candidate }: Subject): string {
  const meanRank = (column: string) =>
    `rank() OVER (ORDER BY ${column}) + (count(*) OVER (PARTITION BY ${column}) - 1) / 2.0`
  return `SELECT count(*), (avg(x * y) - avg(x) * avg(y))
      / (sqrt(avg(x * x) - avg(x) * avg(x)) * sqrt(avg(y * y) - avg(y) * avg(y))) AS rank_correlation,
      avg(abs(a - b)) AS mean_absolute_difference
    FROM (SELECT a, b, ${meanRank('a')} AS x, ${meanRank('b')} AS y
      FROM (SELECT a.number AS a, b.number AS b FROM ${both(candidate, 1, 3)}) AS scored) AS ranked`
}

/** The threshold with the highest kappa, of all scores. */
function bestThreshold({ candidate }: Subject): string {
  const [passed, failed] = ['(tp + fp)', '(total - tp - fp)']
  return `WITH scored AS MATERIALIZED (SELECT a.number AS score, b.number AS verdict FROM ${both(candidate, 1, 2)}),
    counted AS MATERIALIZED (SELECT score, count(*) AS n, sum(verdict) AS passed FROM scored GROUP BY score),
    cumulative AS (SELECT score, sum(passed) OVER (ORDER BY score DESC) AS tp,
      sum(n - passed) OVER (ORDER BY score DESC) AS fp, (SELECT sum(passed) FROM counted) AS positives,
      (SELECT sum(n) FROM counted) AS total FROM counted)
    SELECT score, 2.0 * (tp * (total - positives - fp) - (positives - tp) * fp)
      / (${passed} * (total - positives) + positives * ${failed}) AS kappa, tp, fp
    FROM cumulative ORDER BY kappa DESC LIMIT 1`
}

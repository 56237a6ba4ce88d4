// Tests query plans: frequent statements use an index, without a table scan or a separate sort.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIST_ORDERS, NEWEST_FIRST, parseListOrder } from '../../src/schema/filters/orders.ts'
import { FIND_KEY } from '../../src/store/access/keys.ts'
import { FIND_IN_ANY_PROJECT, FIND_IN_OTHER_PROJECT } from '../../src/store/access/projects.ts'
import { FIND_REVISION } from '../../src/store/access/references.ts'
import {
  FIND_NEWEST,
  FIND_ROWS_BY_ID,
  FIND_ROWS_BY_INPUT,
  FIND_TARGET,
} from '../../src/store/analysis/histories.ts'
import { errorGroupsStatement } from '../../src/store/analysis/row-groups.ts'
import {
  FIND_FIRST_CHANGE,
  FIND_LOG_POSITION,
  FIND_LOG_VERSION,
  IS_DATA_CHANGE,
  READ_CHANGES,
} from '../../src/store/changes/change-log.ts'
import { FIND_STORED_RESPONSE } from '../../src/store/changes/idempotency.ts'
import { READ_OLDEST_CHANGES } from '../../src/store/changes/retention.ts'
import { READ_NAMED } from '../../src/store/check.ts'
import { READ_BASELINES } from '../../src/store/compare/baseline-scores.ts'
import { inputHashes } from '../../src/store/compare/join-keys.ts'
import { textGroupsStatement, textsStatement } from '../../src/store/compare/side-columns.ts'
import type { Value } from '../../src/store/dialect/dialect.ts'
import { elementsQuery, numberedStatement } from '../../src/store/dialect/postgres/sql.ts'
import { joinStatement } from '../../src/store/dialect/sqlite/connection.ts'
import { EVALUATIONS, FIND_EVALUATION } from '../../src/store/evaluations/evaluations.ts'
import {
  COUNT_PASSED_NUMBERS,
  READ_SCORES,
  READ_STATISTICS,
} from '../../src/store/evaluations/stored-scores.ts'
import {
  chunkEndStatement,
  chunkStatement,
  type ElementTable,
  pageStatement,
  spanStatement,
} from '../../src/store/reads/elements.ts'
import { listStatement } from '../../src/store/reads/lists.ts'
import { SCENARIO_COLUMNS } from '../../src/store/scenarios/columns.ts'
import { FIND_SCENARIOS } from '../../src/store/scenarios/conflicts.ts'
import { SCENARIOS_WITH_RESULT } from '../../src/store/scenarios/delete-results.ts'
import { FIND_GENERATED_ID } from '../../src/store/scenarios/generated-ids.ts'
import { FIND_DELETED } from '../../src/store/scenarios/removal.ts'
import { FIND_SCENARIO_TEXTS } from '../../src/store/scenarios/results.ts'
import { FIND_SCENARIO, SCENARIOS, scenariosWith } from '../../src/store/scenarios/scenarios.ts'
import {
  READ_BODIES,
  READ_BODY_BEFORE,
  READ_EVALUATIONS,
} from '../../src/store/variants/revision-includes.ts'
import {
  FIND_REVISION_DIGEST,
  FIND_REVISION_NUMBER,
  FIND_REVISION_TEXT,
  REVISIONS,
} from '../../src/store/variants/revisions.ts'
import { FIND_VARIANT, VARIANTS } from '../../src/store/variants/variants.ts'
import { query } from '../postgres/cluster.ts'
import { createTestStore, ENGINE } from '../support/harness.ts'

const { reader, url } = await createTestStore()
const SCENARIOS_WITH_EXTRA = scenariosWith(new Set(['extra']))
const EXPORTED_SCENARIOS = scenariosWith(new Set(['extra', 'has_generated_id']))

/** How each engine joins elements and explains a statement. */
const ENGINES = {
  sqlite: {
    joinElements: (elements: ElementTable) => joinStatement(chunkStatement(elements), ','),
    async explain(statement: string): Promise<string[]> {
      const steps = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
      return steps.map(({ detail }) => detail)
    },
    usesIndex: /^SEARCH .* USING (COVERING )?(INDEX|(INTEGER )?PRIMARY KEY)/,
    usesOnlyIndex: /USING COVERING INDEX/,
    forbiddenStep:
      /^SCAN (scenario|measure|repetition|generated_id|revision|evaluation|evaluation_column|variant|api_key|idempotency|change|evaluation_scores)\b|TEMP B-TREE/,
  },
  postgres: {
    joinElements: (elements: ElementTable) => elementsQuery(chunkStatement(elements), [1, 2, 3]),
    explain: explainPostgres,
    usesIndex: /Index (Only )?Scan (Backward )?using \w+ on/,
    usesOnlyIndex: /Index Only Scan using/,
    forbiddenStep: /Seq Scan|Sort/,
  },
}
const { joinElements, explain, usesIndex, usesOnlyIndex, forbiddenStep } = ENGINES[ENGINE]

async function explainPostgres(statement: string): Promise<string[]> {
  // Without these settings, PostgreSQL scans an empty table sequentially.
  const settings = encodeURIComponent('-c enable_seqscan=off -c enable_bitmapscan=off')
  // The generic plan does not depend on parameter values.
  const explainStatement = `EXPLAIN (GENERIC_PLAN, COSTS off) ${numberedStatement(statement)}`
  return planLines(await query(`${url}?options=${settings}`, explainStatement))
}

function planLines(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => String(row['QUERY PLAN']))
}

const FREQUENT_STATEMENTS: Record<string, string> = {
  'a key by its public id': FIND_KEY,
  'an evaluation by its id': FIND_EVALUATION,
  'a variant by its id': FIND_VARIANT,
  'an evaluation of another project': FIND_IN_OTHER_PROJECT('evaluation'),
  'a variant of another project': FIND_IN_OTHER_PROJECT('variant'),
  'an evaluation of any project': FIND_IN_ANY_PROJECT('evaluation'),
  'a variant of any project': FIND_IN_ANY_PROJECT('variant'),
  'the end of a chunk of scenarios': chunkEndStatement(SCENARIOS),
  'the size of several scenarios': spanStatement(SCENARIOS),
  'a chunk of scenarios': joinElements(SCENARIOS),
  'a chunk of scenarios with extra': joinElements(SCENARIOS_WITH_EXTRA),
  'a chunk of a full export': joinElements(EXPORTED_SCENARIOS),
  'whether an evaluation has generated ids': FIND_GENERATED_ID,
  'a page of scenarios': pageStatement(SCENARIOS),
  'the end of a chunk of revisions': chunkEndStatement(REVISIONS),
  'the size of several revisions': spanStatement(REVISIONS),
  'a chunk of revisions': joinElements(REVISIONS),
  'a page of revisions': pageStatement(REVISIONS),
  'the columns of an evaluation': SCENARIO_COLUMNS,
  ...Object.fromEntries(
    LIST_ORDERS.flatMap((text) =>
      (['all', 'rest of sort value', 'later sort values'] as const).flatMap((part) => {
        const order = parseListOrder(text) ?? NEWEST_FIRST
        const suffix = `by ${text}, ${part}`
        return [
          [`evaluations ${suffix}`, listStatement(EVALUATIONS, order, part)],
          [`variants ${suffix}`, listStatement(VARIANTS, order, part)],
        ]
      }),
    ),
  ),
  'deleted evaluations': FIND_DELETED,
  'a scenario by its id': FIND_SCENARIO,
  'scenarios by their ids': FIND_SCENARIOS('?, ?'),
  'the texts of scenarios by their ids': FIND_SCENARIO_TEXTS('?, ?'),
  'scenarios with a result of an evaluator': SCENARIOS_WITH_RESULT,
  'a revision of a variant': FIND_REVISION,
  'a revision by its number': FIND_REVISION_NUMBER,
  'the text of a revision': FIND_REVISION_TEXT,
  'the digest of a revision': FIND_REVISION_DIGEST,
  'the texts of revisions': READ_BODIES,
  'the previous revision': READ_BODY_BEFORE,
  'the evaluations that ran revisions': READ_EVALUATIONS,
  'the version of the change log': FIND_LOG_VERSION,
  'a position in the change log': FIND_LOG_POSITION,
  'the first entry of the change log': FIND_FIRST_CHANGE,
  'the oldest entries of the change log': READ_OLDEST_CHANGES,
  'entries of the change log': READ_CHANGES(IS_DATA_CHANGE),
  'the stored response of a repeated request': FIND_STORED_RESPONSE,
  'the scores of evaluations': READ_SCORES('?, ?'),
  'the baselines of evaluations': READ_BASELINES('?, ?'),
  'the statistics of an evaluation': READ_STATISTICS,
  'the scores that reach a threshold': COUNT_PASSED_NUMBERS('>='),
  'the newest evaluations of a variant': FIND_NEWEST(reader.sql),
  'a scenario whose history is requested': FIND_TARGET,
  'the same row of evaluations by its id': FIND_ROWS_BY_ID(reader.sql),
  'the same row of evaluations by its inputs': FIND_ROWS_BY_INPUT(reader.sql),
}

for (const [name, statement] of Object.entries(FREQUENT_STATEMENTS)) {
  test(`reads ${name} by index`, async () => {
    const steps = await explain(statement)
    assert.ok(
      steps.some((step) => usesIndex.test(step)),
      steps.join('\n'),
    )
    assert.ok(!steps.some((step) => forbiddenStep.test(step)), steps.join('\n'))
  })
}

test('finds the evaluations that mark a baseline by its id', async () => {
  const steps = await explain(READ_BASELINES('?'))
  // PostgreSQL chooses the condition by its statistics, which an empty table does not have.
  const marking = ENGINE === 'sqlite' ? /^SEARCH other .*\bbaseline_id=\?/ : /using evaluation_by_baseline\b/
  assert.ok(
    steps.some((step) => marking.test(step.trim())),
    steps.join('\n'),
  )
})

/** A chunk is joined in the order in which SQLite reads its rows. */
test('reads the rows of a chunk in the order of their positions, without a sort', {
  skip: ENGINE !== 'sqlite' && 'SQLite only',
}, async () => {
  for (const elements of [SCENARIOS, SCENARIOS_WITH_EXTRA, EXPORTED_SCENARIOS, REVISIONS]) {
    const { table, parent, position } = elements
    const steps = await explain(joinElements(elements))
    assert.doesNotMatch(steps.join('\n'), /CO-ROUTINE|TEMP B-TREE/)
    const range = `(${parent}=? AND ${position}>? AND ${position}<?)`
    assert.match(steps[0] ?? '', new RegExp(`^SEARCH ${table} USING .*${RegExp.escape(range)}$`))
  }
})

test('reads the positions of a page from the index only', async () => {
  const steps = await explain(pageStatement(SCENARIOS))
  assert.match(steps.join('\n'), usesOnlyIndex)
})

test('reads a large table by index in a snapshot, before and after ANALYZE', {
  skip: ENGINE === 'sqlite' && 'SQLite plans do not depend on the rows',
}, async () => {
  await query(url, INSERT_MANY_ROWS)
  for (const preparation of ['SELECT', 'ANALYZE']) {
    await query(url, preparation)
    for (const key of [7, 20]) {
      const statements: [statement: string, ...values: (string | number)[]][] = [
        [FIND_SCENARIO, key, '123'],
        [pageStatement(SCENARIOS), key, 100, 101],
        [chunkEndStatement(SCENARIOS), key, 100, Number.MAX_SAFE_INTEGER],
        [spanStatement(SCENARIOS), key, 100, Number.MAX_SAFE_INTEGER, 128],
        [elementsQuery(chunkStatement(SCENARIOS), [key, 100, 228])],
      ]
      for (const [statement, ...values] of statements) {
        const explainStatement = `EXPLAIN ${statement}`
        const rows = await reader.snapshot('short', (snapshot) => snapshot.all(explainStatement, ...values))
        const steps = planLines(rows as Record<string, unknown>[]).join('\n')
        assert.match(
          steps,
          /Index Cond: \(\(evaluation = .* AND \(("position"|id) /,
          `${preparation}\n${steps}`,
        )
        assert.doesNotMatch(steps, forbiddenStep, `${preparation}\n${steps}`)
      }
    }
  }
})

test('finds the rows of a history by index in a snapshot, before and after ANALYZE', {
  skip: ENGINE === 'sqlite' && 'SQLite plans do not depend on the rows',
}, async () => {
  const history = await createTestStore()
  await query(history.url, `${INSERT_MANY_ROWS}; ${INSERT_DERIVED_ROWS}`)
  const hash = Buffer.from('123')
  const statements: [statement: string, ...values: Value[]][] = [
    [FIND_NEWEST(history.reader.sql), 1, 1, '7'],
    [FIND_TARGET, 1, '7', '123'],
    [FIND_ROWS_BY_ID(history.reader.sql), '[7,20]', '123'],
    [FIND_ROWS_BY_INPUT(history.reader.sql), '[7,20]', hash, 0],
  ]
  for (const preparation of ['SELECT', 'ANALYZE']) {
    await query(history.url, preparation)
    for (const [statement, ...values] of statements) {
      const rows = await history.reader.snapshot('short', (snapshot) =>
        snapshot.all<Record<string, unknown>>(`EXPLAIN ${statement}`, ...values),
      )
      const steps = planLines(rows).join('\n')
      assert.doesNotMatch(steps, /Seq Scan|Hash|hashed|Merge|Sort/, `${preparation}\n${steps}`)
    }
  }
})

const INSERT_DERIVED_ROWS = `
  INSERT INTO measure (evaluation, position, input_hash, expected_hash, output_hash, has_error, is_pinned, has_note)
    SELECT evaluation, position, CAST(id AS bytea), '', '', 0, 0, 0 FROM scenario;
  INSERT INTO generated_id SELECT evaluation, position FROM scenario WHERE position % 2 = 0`

/** Inserts many small evaluations and a large one. */
const INSERT_MANY_ROWS = `
  INSERT INTO project (name, created_at) VALUES ('p', '');
  INSERT INTO evaluation (project, id, created_at, updated_at, version)
    SELECT project.key, number, '', '', '' FROM project, generate_series(1, 100) AS number WHERE name = 'p';
  INSERT INTO scenario (evaluation, position, id, body, digest)
    SELECT key, number, number, repeat('x', 200), '' FROM evaluation, generate_series(1, 400) AS number;
  INSERT INTO scenario (evaluation, position, id, body, digest)
    SELECT 7, number, number, repeat('x', 200), '' FROM generate_series(401, 40000) AS number`

/** Statements that group the rows of one evaluation, and the tables whose rows they read. */
const GROUP_STATEMENTS = {
  input: textsStatement(inputHashes(reader.sql, 1, 1), reader.sql),
  result: textGroupsStatement(reader.sql),
  measure: errorGroupsStatement(reader.sql),
}

for (const [table, statement] of Object.entries(GROUP_STATEMENTS))
  test(`groups rows by reading only those of one evaluation from the table ${table}`, async () => {
    const steps = await explain(statement)
    const reads = steps.filter((step) => new RegExp(`(SCAN|SEARCH|Scan.* on) ${table}\\b`).test(step))
    assert.equal(reads.length, 1, steps.join('\n'))
    assert.match(reads[0] ?? '', usesIndex)
  })

test('assay check finds results and inputs by position', {
  skip: ENGINE === 'postgres' && 'PostgreSQL has statistics to choose the order of a join',
}, async () => {
  for (const list of ['results', 'inputs'] as const) {
    const steps = await explain(READ_NAMED(list))
    assert.match(
      steps.at(-1) ?? '',
      /^SEARCH derived USING PRIMARY KEY \(evaluation=\? AND \w+=\? AND position>\? AND position<\?\)$/,
    )
  }
})

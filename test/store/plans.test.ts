// The hot statements use their index: no scan of a table, no sorting aside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elementsQuery, numberedStatement } from '../../src/store/dialect/postgres-words.ts'
import { joinStatement } from '../../src/store/dialect/sqlite-words.ts'
import {
  type ElementTable,
  pageStatement,
  pieceStatement,
  reachStatement,
  spanStatement,
} from '../../src/store/elements.ts'
import { EVALUATIONS, FIND_EVALUATION } from '../../src/store/evaluations.ts'
import { FIND_ANSWER } from '../../src/store/idempotency.ts'
import { READ_BODIES, READ_BODY_BEFORE, READ_EVALUATIONS } from '../../src/store/included-revisions.ts'
import { FIND_KEY } from '../../src/store/keys.ts'
import { newestFirst } from '../../src/store/lists.ts'
import { FIND_ANYWHERE, FIND_ELSEWHERE } from '../../src/store/projects.ts'
import { FIND_REVISION } from '../../src/store/references.ts'
import { FIND_REVISION_NUMBER, FIND_REVISION_TEXT, REVISIONS } from '../../src/store/revisions.ts'
import { FIND_SCENARIOS } from '../../src/store/scenario-append.ts'
import {
  FIND_SCENARIO,
  SCENARIO_COLUMNS,
  SCENARIOS,
  SCENARIOS_WITH_EXTRA,
} from '../../src/store/scenarios.ts'
import { FIND_VARIANT, VARIANTS } from '../../src/store/variants.ts'
import { ENGINE, freshStore } from '../harness.ts'
import { query } from '../postgres/cluster.ts'

const { reader, url } = await freshStore()

/** How an engine joins the elements of a statement, and tells how it goes about one. */
const ENGINES = {
  sqlite: {
    joined: (elements: ElementTable) => joinStatement(pieceStatement(elements), ','),
    async plan(statement: string): Promise<string[]> {
      const steps = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
      return steps.map(({ detail }) => detail)
    },
    byIndex: /^SEARCH .* USING (COVERING )?(INDEX|PRIMARY KEY)/,
    byIndexAlone: /USING COVERING INDEX/,
    refused:
      /^SCAN (scenario|revision|evaluation|evaluation_column|variant|api_key|idempotency)\b|TEMP B-TREE/,
  },
  postgres: {
    joined: (elements: ElementTable) => elementsQuery(pieceStatement(elements), [1, 2, 3]),
    plan: planOfPostgres,
    byIndex: /Index (Only )?Scan (Backward )?using \w+ on/,
    byIndexAlone: /Index Only Scan using/,
    refused: /Seq Scan|Sort/,
  },
}
const { joined, plan, byIndex, byIndexAlone, refused } = ENGINES[ENGINE]

async function planOfPostgres(statement: string): Promise<string[]> {
  // Of an empty table all would be read at once, unless that counts as dear.
  const settings = encodeURIComponent('-c enable_seqscan=off -c enable_bitmapscan=off')
  // Without values: what it does for any of them.
  const explain = `EXPLAIN (GENERIC_PLAN, COSTS off) ${numberedStatement(statement)}`
  return linesOf(await query(`${url}?options=${settings}`, explain))
}

function linesOf(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => String(row['QUERY PLAN']))
}

const HOT: Record<string, string> = {
  'a key by its public part': FIND_KEY,
  'an evaluation by its id': FIND_EVALUATION,
  'a variant by its id': FIND_VARIANT,
  'an evaluation of another project': FIND_ELSEWHERE('evaluation'),
  'a variant of another project': FIND_ELSEWHERE('variant'),
  'an evaluation of whatever project': FIND_ANYWHERE('evaluation'),
  'a variant of whatever project': FIND_ANYWHERE('variant'),
  'how far a piece of scenarios reaches': reachStatement(SCENARIOS),
  'how large some scenarios are': spanStatement(SCENARIOS),
  'a piece of scenarios': joined(SCENARIOS),
  'a piece of scenarios with extra': joined(SCENARIOS_WITH_EXTRA),
  'a page of scenarios': pageStatement(SCENARIOS),
  'how far a piece of revisions reaches': reachStatement(REVISIONS),
  'how large some revisions are': spanStatement(REVISIONS),
  'a piece of revisions': joined(REVISIONS),
  'a page of revisions': pageStatement(REVISIONS),
  'the columns of a table': SCENARIO_COLUMNS,
  'evaluations, newest first': newestFirst(EVALUATIONS),
  'variants, newest first': newestFirst(VARIANTS),
  'a scenario by its id': FIND_SCENARIO,
  'scenarios by their ids': FIND_SCENARIOS,
  'a revision of a variant': FIND_REVISION,
  'a revision by its number': FIND_REVISION_NUMBER,
  'the text of a revision': FIND_REVISION_TEXT,
  'the texts of revisions': READ_BODIES,
  'the revision before others': READ_BODY_BEFORE,
  'the evaluations that ran revisions': READ_EVALUATIONS,
  'the answer of a repeated request': FIND_ANSWER,
}

for (const [name, statement] of Object.entries(HOT)) {
  test(`${name}: by index`, async () => {
    const steps = await plan(statement)
    assert.ok(
      steps.some((step) => byIndex.test(step)),
      steps.join('\n'),
    )
    assert.ok(!steps.some((step) => refused.test(step)), steps.join('\n'))
  })
}

test('a page reads positions from the index alone', async () => {
  const steps = await plan(pageStatement(SCENARIOS))
  assert.match(steps.join('\n'), byIndexAlone)
})

test('a snapshot reads a large table by index, before the planner knows it and after', {
  skip: ENGINE === 'sqlite' && 'SQLite plans without looking at the rows',
}, async () => {
  await query(url, MANY_ROWS)
  for (const prepare of ['SELECT', 'ANALYZE']) {
    await query(url, prepare)
    for (const key of [7, 20]) {
      const statements: [statement: string, ...values: (string | number)[]][] = [
        [FIND_SCENARIO, key, '123'],
        [pageStatement(SCENARIOS), key, 100, 101],
        [reachStatement(SCENARIOS), key, 100, Number.MAX_SAFE_INTEGER],
        [spanStatement(SCENARIOS), key, 100, Number.MAX_SAFE_INTEGER, 128],
        [elementsQuery(pieceStatement(SCENARIOS), [key, 100, 228])],
      ]
      for (const [statement, ...values] of statements) {
        const explain = `EXPLAIN ${statement}`
        const rows = await reader.snapshot('short', (snapshot) => snapshot.all(explain, ...values))
        const steps = linesOf(rows as Record<string, unknown>[]).join('\n')
        assert.match(steps, /Index Cond: \(\(evaluation = .* AND \(("position"|id) /, `${prepare}\n${steps}`)
        assert.doesNotMatch(steps, refused, `${prepare}\n${steps}`)
      }
    }
  }
})

/** Of many small evaluations and a large one. */
const MANY_ROWS = `
  INSERT INTO project (name, created_at) VALUES ('p', '');
  INSERT INTO evaluation (project, id, created_at, version)
    SELECT project.key, number, '', '' FROM project, generate_series(1, 100) AS number;
  INSERT INTO scenario (evaluation, position, id, body, digest)
    SELECT key, place, place, repeat('x', 200), '' FROM evaluation, generate_series(1, 400) AS place;
  INSERT INTO scenario (evaluation, position, id, body, digest)
    SELECT 7, place, place, repeat('x', 200), '' FROM generate_series(401, 40000) AS place`

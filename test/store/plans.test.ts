// The hot statements use their index: no scan of a table, no sorting aside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinStatement } from '../../src/store/dialect/sqlite-words.ts'
import { type ElementTable, pageStatement, pieceStatement, reachStatement } from '../../src/store/elements.ts'
import { EVALUATIONS, FIND_EVALUATION } from '../../src/store/evaluations.ts'
import { FIND_ANSWER } from '../../src/store/idempotency.ts'
import { FIND_KEY } from '../../src/store/keys.ts'
import { FIND_ELSEWHERE } from '../../src/store/projects.ts'
import { FIND_REVISION } from '../../src/store/references.ts'
import { REVISIONS } from '../../src/store/revisions.ts'
import { FIND_SCENARIOS } from '../../src/store/scenario-append.ts'
import {
  FIND_SCENARIO,
  SCENARIO_COLUMNS,
  SCENARIOS,
  SCENARIOS_WITH_EXTRA,
} from '../../src/store/scenarios.ts'
import { FIND_VARIANT, VARIANTS } from '../../src/store/variants.ts'
import { freshStore } from '../harness.ts'

const { reader } = await freshStore()
const joined = (elements: ElementTable) => joinStatement(pieceStatement(elements), ',')

const HOT: Record<string, string> = {
  'a key by its public part': FIND_KEY,
  'an evaluation by its id': FIND_EVALUATION,
  'a variant by its id': FIND_VARIANT,
  'an evaluation of another project': FIND_ELSEWHERE('evaluation'),
  'a variant of another project': FIND_ELSEWHERE('variant'),
  'how far a piece of scenarios reaches': reachStatement(SCENARIOS),
  'a piece of scenarios': joined(SCENARIOS),
  'a piece of scenarios with extra': joined(SCENARIOS_WITH_EXTRA),
  'a page of scenarios': pageStatement(SCENARIOS),
  'how far a piece of revisions reaches': reachStatement(REVISIONS),
  'a piece of revisions': joined(REVISIONS),
  'a page of revisions': pageStatement(REVISIONS),
  'the columns of a table': SCENARIO_COLUMNS,
  'evaluations, newest first': EVALUATIONS.statement,
  'variants, newest first': VARIANTS.statement,
  'a scenario by its id': FIND_SCENARIO,
  'scenarios by their ids': FIND_SCENARIOS,
  'a revision of a variant': FIND_REVISION,
  'the answer of a repeated request': FIND_ANSWER,
}

for (const [name, statement] of Object.entries(HOT)) {
  test(`${name}: by index`, async () => {
    const plan = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
    const steps = plan.map(({ detail }) => detail)
    const tables = /^SCAN (scenario|revision|evaluation|evaluation_column|variant|api_key|idempotency)\b/
    assert.ok(
      steps.some((step) => /^SEARCH .* USING (COVERING )?(INDEX|PRIMARY KEY)/.test(step)),
      steps.join('\n'),
    )
    assert.ok(!steps.some((step) => tables.test(step) || /TEMP B-TREE/.test(step)), steps.join('\n'))
  })
}

test('a page reads positions from the index alone', async () => {
  const [step] = await reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${pageStatement(SCENARIOS)}`)
  assert.match(step?.detail ?? '', /USING COVERING INDEX/)
})

// Importing tables on the page: the user checks and changes the roles of columns before anything is stored.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { parseColumnMap } from '../../src/import/table/columns.ts'
import {
  mapOf,
  needsReview,
  ROLE_LABELS,
  type Role,
  TYPE_LABELS,
} from '../../web/src/pages/evaluations/import/table/roles.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, chooseOption, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const HEADERS = new URL('../fixtures/table-headers/', import.meta.url)

type Choices = Record<string, string | [role: string, detail: string]>

/** Real tables, the roles that the user chooses, and parts of the first stored scenario. */
const TABLES: [name: string, choices: Choices, expected: object][] = [
  [
    'agent-bench.csv',
    {
      id: 'id',
      category: 'note',
      question: 'input',
      ground_truth: 'expected',
      final_answer: 'output',
      confidence_score: ['score', 'number'],
      hallucination_rate: ['score', 'percent'],
      cost_usd: ['cost', 'usd'],
      total_latency_ms: ['latency', 'ms'],
      trace_id: 'extra',
    },
    {
      id: 'q001',
      note: 'factual',
      output: 'BERTurk ne zaman yayınlandı? → 25.03.2020 tarihinde.',
      results: { confidence_score: 1, hallucination_rate: 0 },
      latency: 15.85443,
      cost: 3.3e-5,
    },
  ],
  [
    'customer-support.csv',
    {
      test_id: 'id',
      category: 'extra',
      customer_input: 'input',
      expected_output: 'expected',
      llm_output: 'output',
      correctness_score: ['score', 'number'],
      hallucination: ['score', 'bool'],
      failure_type: 'note',
      notes: 'extra',
    },
    {
      id: 'TC001',
      output: 'Where is my order? → I can help with that.',
      results: { correctness_score: 5, hallucination: false },
      extra: { category: 'Orders & Tracking' },
    },
  ],
  [
    'judge-text.csv',
    {
      'Test ID': 'id',
      Category: 'extra',
      Question: 'input',
      'Ground Truth': 'expected',
      'Bot Output': 'output',
      'Judge Evaluation': 'note',
    },
    {
      id: 'TC-01',
      note: '- Faithfulness: 1\n- Answer Relevance: 1\n- Rationale: matches the context.',
      results: {},
    },
  ],
  [
    'nl2sql.csv',
    {
      nl: 'input',
      gold_sql: 'expected',
      gen_sql: 'output',
      gen_error: 'error',
      exec_error: 'extra',
      exec_match: ['score', 'text'],
      gen_time_s: ['latency', 's'],
      exec_time_s: 'input',
    },
    {
      output: 'Show top sellers → SELECT id FROM sellers;',
      results: { exec_match: 'False' },
      latency: 198.065,
    },
  ],
  [
    'text-to-sql-models.csv',
    {
      model: 'note',
      id: 'extra',
      difficulty: 'input',
      correct: ['score', 'bool'],
      sql: 'output',
      reason: ['reason', 'correct'],
    },
    {
      note: 'Kimi K3',
      output: 'hard → SELECT COUNT(*) FROM deliveries',
      results: { correct: true },
      extra: { results: [{ reason: 'match' }], id: '1' },
    },
  ],
]

const IN_FULL = ['customer-support.csv', 'judge-text.csv', 'nl2sql.csv']

describe('importing tables on the page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const openedPage = await openPage({ baseUrl, key })
  const { page } = openedPage
  const dialog = page.getByRole('dialog', { name: 'Columns of' })
  const imports = page.getByRole('list', { name: 'Imports' })
  const importButton = dialog.getByRole('button', { name: 'Import' })
  const storedNames = async () => (await assay.listEvaluations()).items.map(({ name }) => name)

  /** Parts of the first scenario of the evaluation with this name. */
  async function firstScenario(name: string) {
    const { items } = await assay.listEvaluations({ name: `eq.${name}` })
    assert.equal(items.length, 1, name)
    const [scenario] = await assay.listEvaluationScenarios(items[0]?.id ?? '', { include: 'extra' })
    assert.ok(scenario)
    const { id, inputs, outputs, results, note, extra } = scenario
    const [output] = outputs
    return {
      id,
      note,
      output: `${inputs[0]?.value} → ${output?.result.value}`,
      results: Object.fromEntries(
        results.map(({ evaluator_config, result }) => [evaluator_config, result.value]),
      ),
      latency: output?.latency,
      cost: output?.cost,
      extra,
    }
  }

  for (const [name, choices, expected] of TABLES) {
    const skip = IN_FULL.includes(name) && fullOnly('roles are chosen in the same way as in the other tables')
    test(`stores ${name} with the roles that the user chose`, { skip }, async () => {
      await chooseFiles(page, { [name]: readFileSync(new URL(name, HEADERS), 'utf8') })
      await dialog.getByRole('heading', { name: `Columns of ${name}` }).waitFor()
      await chooseRoles(page, choices)
      await dialog.getByText('your choice').first().waitFor()
      assert.ok(!(await storedNames()).includes(name.replace('.csv', '')))
      await importButton.click()
      const stem = name.replace('.csv', '')
      await imports.getByRole('link', { name: stem, exact: true }).first().waitFor()
      // The list of evaluations with a dialog replaces the page without evaluations, and its input for files.
      await page.getByRole('dialog', { name: 'Import results' }).waitFor()
      assert.partialDeepStrictEqual(await firstScenario(stem), expected)
    })
  }

  test('a table without an output cannot be imported, and canceling stores nothing', async () => {
    const names = await storedNames()
    await chooseFiles(page, { 'answers.csv': 'domanda,risposta,punti\nq,a,1\n' })
    await dialog.waitFor()
    // What happens to columns that were not recognized, until the user chooses a role.
    await dialog
      .getByText(/^Not recognized: .*\. Stored as (inputs|extra data), which/)
      .first()
      .waitFor()
    await chooseRoles(page, { risposta: 'extra', domanda: 'input', punti: 'extra' })
    await dialog.getByText('Choose the column with the output.').waitFor()
    assert.equal(await importButton.getAttribute('aria-disabled'), 'true')
    await importButton.click({ force: true })
    await assertNoViolations(openedPage, 'dialog[open]')
    await chooseRoles(page, { risposta: 'output', domanda: 'output' })
    await dialog
      .getByText('Only one column can contain the output. Change one of domanda, risposta.')
      .waitFor()
    await chooseRoles(page, { domanda: 'input' })
    await dialog.getByText('No column contains a score.').waitFor()
    await page.keyboard.press('Escape')
    await imports.getByText('answers.csv: canceled. Nothing was stored.').waitFor()
    assert.deepEqual(await storedNames(), names)
  })

  test('the next file with the same columns gets the roles of the last import', {
    skip: fullOnly('imports two more tables'),
  }, async () => {
    const choices: Choices = { domanda: 'input', risposta: 'output', punti: ['score', 'percent'] }
    await chooseFiles(page, { 'first.csv': 'domanda,risposta,punti\nq,a,75\n' })
    await chooseRoles(page, choices)
    await importButton.click()
    await imports.getByRole('link', { name: 'first', exact: true }).first().waitFor()
    await page.reload()
    // Both files have these columns, so the dialog opens once.
    await chooseFiles(page, {
      'second.csv': 'domanda,risposta,punti\nq2,a2,80\n',
      'third.csv': 'domanda,risposta,punti\nq3,a3,90\n',
    })
    await dialog.getByText('Roles from your last import of such a file.').waitFor()
    await assertNoViolations(openedPage, 'dialog[open]')
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByText('Roles from your last import').waitFor({ state: 'detached' })
    await chooseRoles(page, choices)
    await importButton.click()
    await imports.getByRole('link', { name: 'third', exact: true }).first().waitFor()
    await page.getByText('2 files imported: 2 records read, 2 scenarios added.').waitFor()
    assert.equal(await dialog.count(), 0)
    assert.deepEqual((await firstScenario('second')).results, { punti: 0.8 })
    assert.deepEqual((await firstScenario('third')).results, { punti: 0.9 })
  })

  test('a table with explicit column names is imported at once', async () => {
    await chooseFiles(page, { 'explicit.csv': 'id,input.q,output,score.ok\n1,q,a,true\n' })
    await imports.getByRole('link', { name: 'explicit', exact: true }).first().waitFor()
    assert.deepEqual((await firstScenario('explicit')).results, { ok: true })
    assert.deepEqual(openedPage.faults, [])
  })

  test('a table with more columns than fit into a URL is imported', {
    skip: fullOnly('imports a wide table; invalid-bodies.test.ts and tables.test.ts check the API'),
  }, async () => {
    const columns = Array.from({ length: 120 }, (_, index) => `a column with a long name ${index}`)
    const row = columns.map((_, index) => `${'value '.repeat(100)}${index}`)
    await chooseFiles(page, { 'wide.csv': `${columns.join()}\n${row.join()}\n` })
    await chooseRoles(page, { [columns.at(-1) ?? '']: 'output', [columns[0] ?? '']: 'extra' })
    await importButton.click()
    await imports.getByRole('link', { name: 'wide', exact: true }).first().waitFor()
    const { extra } = await firstScenario('wide')
    assert.ok(extra && 'a column with a long name 0' in extra)
  })
})

describe('the parameter map', () => {
  const column = (name: string): Parameters<typeof mapOf>[0][number] => ({
    name,
    role: 'input',
    key: name,
    type: null,
    provider: null,
    origin: 'default',
    examples: [],
  })

  test('is read by the service as it was chosen, whatever the names are', () => {
    const names = ['plain', 'a,b', 'a=b', 'say "x"', ' padded ', 'a.b:c', '回答', 'x\ny']
    const columns = names.map(column)
    const choices = names.map((name, index) =>
      index % 2 === 0
        ? { role: 'score' as const, key: `${name}!`, type: 'percent', provider: `${name}?` }
        : { role: 'expected' as const, key: name, type: null, provider: null },
    )
    const map = mapOf(columns, choices)
    const parsed = parseColumnMap(map)
    assert.deepEqual(
      names.map((name) => parsed.get(name)),
      choices.map((choice) => ({
        ...choice,
        key: choice.role === 'score' ? choice.key : undefined,
        type: choice.type ?? undefined,
        provider: choice.provider ?? undefined,
      })),
    )
  })

  test('contains changed columns first and fits into a URL', () => {
    const columns = Array.from({ length: 1000 }, (_, index) => column(`column ${index}`))
    const choices = columns.with(999, { ...column('column 999'), role: 'output', key: null })
    const map = mapOf(columns, choices)
    assert.ok(map.startsWith('"column 999"=output,"column 0"=input,'))
    assert.ok(encodeURIComponent(map).length <= 6000)
  })

  test('is not asked for if all names are explicit or belong to a known tool', () => {
    const explicit = ['input.q', 'output', 'score.ok'].map((name) => ({
      ...column(name),
      role: (name.split('.')[0] ?? '') as 'input' | 'output' | 'score',
      origin: 'name' as const,
    }))
    assert.equal(needsReview(explicit), false)
    assert.equal(needsReview([...explicit, column('topic')]), true)
    assert.equal(needsReview(explicit.filter(({ role }) => role !== 'output')), true)
    assert.equal(needsReview([{ ...column('user_input'), origin: 'preset' }, column('topic')]), false)
    assert.equal(needsReview([]), false)
  })
})

async function chooseFiles(page: Page, texts: Record<string, string>): Promise<void> {
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  }))
  const input = page.getByLabel('Files to import')
  // A list of evaluations has the file button in a dialog.
  const button = page.getByRole('button', { name: 'Import', exact: true })
  // While the list loads, the page does not know whether it is empty.
  await page
    .getByText(/^No evaluations yet|evaluations?\./)
    .first()
    .waitFor()
  await input.or(button).first().waitFor({ state: 'attached' })
  if ((await input.count()) === 0) await button.click()
  await input.setInputFiles(files)
}

async function chooseRoles(page: Page, choices: Choices): Promise<void> {
  for (const [column, choice] of Object.entries(choices)) {
    const [role, detail] = typeof choice === 'string' ? [choice] : choice
    await chooseOption(page, `Role of ${column}`, ROLE_LABELS[role as Role])
    if (detail === undefined) continue
    const menu = role === 'reason' ? 'Evaluator' : 'Type'
    await chooseOption(page, `${menu} of ${column}`, TYPE_LABELS[role as Role]?.[detail] ?? detail)
  }
}

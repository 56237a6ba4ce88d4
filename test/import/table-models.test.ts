// Tests that tables with the results of several models become one evaluation per model.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { createTempFolder } from '../support/harness.ts'
import { createImportStore, type ImportStore, importInto, storedEvaluation } from '../support/import-file.ts'

async function importTable(content: string, flags: string[] = [], name = 'runs.csv', into?: ImportStore) {
  const store = into ?? (await createImportStore())
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  const report = await importInto(store, path, ...flags)
  const notes = report.notes.map(({ detail }) => detail)
  const evaluations = []
  if (report.stored)
    for (const { id } of report.evaluations) evaluations.push(await storedEvaluation(store, id))
  return { store, report, notes, evaluations }
}

/** The output and the results of scenarios. */
function summarize(scenarios: EvaluationScenario[]) {
  return scenarios.map(({ outputs, results }) => [
    outputs[0]?.result.value,
    Object.fromEntries(results.map(({ evaluator_config, result }) => [evaluator_config, result.value])),
  ])
}

const WIDE =
  'question,gpt_response,gpt_score,claude_response,claude_score,expected\nq,a,1.0,b,0.5,a\nr,c,0.25,d,1.0,c\n'

test('imports the columns of each model as an evaluation of its own', async () => {
  const { report, evaluations, notes } = await importTable(WIDE)
  assert.deepEqual(report.refusals, [])
  const family = evaluations[0]?.evaluation.family
  assert.deepEqual(
    evaluations.map(({ evaluation: { id, name, provider, family, label } }) => [
      id,
      name,
      provider,
      family,
      label,
    ]),
    [
      [`${family}:gpt`, 'runs: gpt', 'gpt', family, null],
      [`${family}:claude`, 'runs: claude', 'claude', family, null],
    ],
  )
  assert.deepEqual(
    evaluations.map(({ scenarios }) => summarize(scenarios)),
    [
      [
        ['a', { score: 1 }],
        ['c', { score: 0.25 }],
      ],
      [
        ['b', { score: 0.5 }],
        ['d', { score: 1 }],
      ],
    ],
  )
  assert.deepEqual(
    evaluations.map(({ revision }) => revision?.config),
    ['gpt', 'claude'].map((provider) => ({ config_name: provider, parameters: { provider } })),
  )
  assert.deepEqual(
    evaluations.map(({ scenarios }) => scenarios[0]?.inputs.map(({ name }) => name)),
    [['question'], ['question']],
  )
  assert.match(notes.join('\n'), /results of 2 models \('gpt', 'claude'\)/)
})

test('never stores the scores of another model if an option chooses one output', async () => {
  const { evaluations, notes } = await importTable(WIDE, ['--map', 'claude_response=output'])
  assert.deepEqual(
    evaluations.map(({ evaluation: { family, provider }, scenarios }) => [
      family,
      provider,
      summarize(scenarios)[0],
      scenarios[0]?.extra,
    ]),
    [[null, null, ['b', { score: 0.5 }], { gpt_response: 'a', gpt_score: '1.0' }]],
  )
  assert.match(notes.join('\n'), /columns of other models than 'claude' were stored in extra/)
})

for (const [header, roles] of [
  [
    'prompt,response_gpt-4o,response_claude-3.5,judge_gpt-4o,judge_claude-3.5,latency_ms_gpt-4o',
    'input output/gpt-4o output/claude-3.5 score/gpt-4o.judge score/claude-3.5.judge latency/gpt-4o',
  ],
  [
    'Question,GPT-4 Answer,GPT-4 Correct,Claude 3 Answer,Claude 3 Correct,Notes',
    'input output/GPT-4 score/GPT-4.Correct output/Claude 3 score/Claude 3.Correct note',
  ],
  ['prompt,gpt-4,claude-3-opus,expected', 'input output/gpt-4 output/claude-3-opus expected'],
  ['question,model_a,response_a,model_b,response_b,winner', 'input extra/a output/a extra/b output/b extra'],
  [
    'question,baseline_output,baseline_f1,rag_output,rag_f1,similarity',
    'input output/baseline score/baseline.f1 output/rag score/rag.f1 extra',
  ],
  ['question,answer_1,score_1,answer_2,score_2', 'input output/1 score/1.score output/2 score/2.score'],
] as const) {
  test(`recognizes the columns of several models in ${header}`, async () => {
    const cells = header
      .split(',')
      .map((name) => (/correct|score|judge|f1|simil|latency/i.test(name) ? '1' : 'text'))
    const { report } = await importTable(`${header}\n${cells}\n`)
    assert.deepEqual(
      report.columns.map(
        ({ name, role, key, provider }) =>
          `${role}${provider === null ? '' : `/${provider}`}${key === null || key === name ? '' : `.${key}`}`,
      ),
      roles
        .replaceAll('Claude 3', 'Claude_3')
        .split(' ')
        .map((role) => role.replaceAll('Claude_3', 'Claude 3')),
    )
  })
}

for (const header of [
  'question,answer_a,answer_b,answer_c,answer_d,correct_answer',
  'question,raw_output,parsed_output',
  'text,predicted_class,predicted_label',
]) {
  test(`does not read the columns ${header} as several models`, async () => {
    const { report } = await importTable(`${header}\n${header.replaceAll(/\w+/g, 'x')}\n`)
    assert.deepEqual(
      report.columns.filter(({ provider }) => provider !== null),
      [],
    )
  })
}

test('assigns columns to models by a map', async () => {
  const { report, evaluations } = await importTable('frage,erste,zweite,e1,e2\nq,a,b,1,2\n', [
    '--map',
    'erste=output/one,zweite=output/"two.5",e1=score/one.judge:number,e2=score/"two.5".judge:number',
  ])
  assert.deepEqual(report.refusals, [])
  assert.deepEqual(
    evaluations.map(({ evaluation, scenarios }) => [evaluation.provider, ...summarize(scenarios)]),
    [
      ['one', ['a', { judge: 1 }]],
      ['two.5', ['b', { judge: 2 }]],
    ],
  )
})

test('stores a mapped column with its model, also if the map does not name the model', async () => {
  const { evaluations } = await importTable(WIDE, ['--map', 'gpt_score=score:text'])
  assert.deepEqual(
    evaluations.map(({ scenarios }) => summarize(scenarios)[0]),
    [
      ['a', { score: '1.0' }],
      ['b', { score: 0.5 }],
    ],
  )
})

test('suggests a map with the model', async () => {
  const { notes } = await importTable('question,a_b_output,a_b_latency,c_output,c_latency\nq,x,500,y,0.5\n')
  assert.match(notes.join('\n'), /--map 'a_b_latency=latency\/a_b:ms'/)
})

test('leaves out rows without values of a model, and reports them', async () => {
  const { report, evaluations } = await importTable(
    'q,gpt_response,gpt_score,claude_response,claude_score\nq,a,1,,\nr,b,0,c,1\n',
  )
  assert.deepEqual(
    evaluations.map(({ scenarios }) => scenarios.length),
    [2, 1],
  )
  assert.match(report.omissions[0]?.detail ?? '', /1 row has no values of 'claude'/)
})

/** Rows of each model after those of another one, so that the first rows are of one model. */
const longTable = (count: number, models: string[]) =>
  `id,question,model,answer,correct\n${models
    .map((model) =>
      Array.from({ length: count }, (_, row) => `q${row},question ${row},${model},text,${row % 2}\n`).join(
        '',
      ),
    )
    .join('')}`

test('splits the rows by the column model if each question occurs once per model, also far apart', async () => {
  const { report, evaluations } = await importTable(longTable(1100, ['gpt-4', 'claude:3']))
  assert.deepEqual(report.refusals, [])
  assert.deepEqual(
    evaluations.map(({ evaluation, scenarios }) => [
      evaluation.provider,
      scenarios.length,
      scenarios[1099]?.id,
    ]),
    [
      ['gpt-4', 1100, 'q1099'],
      ['claude:3', 1100, 'q1099'],
    ],
  )
  assert.deepEqual(
    evaluations[1]?.scenarios[0]?.inputs.map(({ name }) => name),
    ['question'],
  )
})

test('does not split rows whose questions differ, and says how to', async () => {
  const content = 'question,model,output,score\na,gpt,x,1\nb,claude,y,0\nc,gpt,z,1\n'
  const { evaluations, notes } = await importTable(content)
  assert.deepEqual([evaluations.length, evaluations[0]?.evaluation.provider], [1, null])
  assert.match(notes.join('\n'), /'model' has several values.*--map 'model=provider'/)
  const mapped = await importTable(content, ['--map', 'model=provider'])
  assert.deepEqual(
    mapped.evaluations.map(({ evaluation, scenarios }) => [evaluation.provider, scenarios.length]),
    [
      ['gpt', 2],
      ['claude', 1],
    ],
  )
})

test('stores the only model of a table as the provider of its evaluation', async () => {
  const { evaluations } = await importTable('question,model,output,score\na,gpt,x,1\nb,gpt,y,0\n')
  assert.deepEqual(
    evaluations.map(({ evaluation, scenarios }) => [
      evaluation.provider,
      evaluation.family,
      scenarios[0]?.inputs.length,
    ]),
    [['gpt', null, 1]],
  )
})

test('keeps the variant of each model when models are added', async () => {
  const { store, evaluations } = await importTable(longTable(2, ['gpt', 'claude']))
  const later = await importTable(
    longTable(2, ['llama', 'claude', 'gpt']),
    ['--variant', 'runs'],
    'new.csv',
    store,
  )
  const variantsOf = (list: typeof evaluations) =>
    Object.fromEntries(list.map(({ evaluation }) => [evaluation.provider, evaluation.variant_id]))
  assert.deepEqual(variantsOf(evaluations), { gpt: 'runs:0', claude: 'runs:1' })
  assert.deepEqual(variantsOf(later.evaluations), { llama: 'runs:2', claude: 'runs:1', gpt: 'runs:0' })
})

test('changes nothing if the same table is imported again', async () => {
  const { store } = await importTable(WIDE)
  const { report } = await importTable(WIDE, [], 'runs.csv', store)
  assert.deepEqual(
    report.evaluations.map(({ accepted, unchanged }) => [accepted, unchanged]),
    [
      [0, 2],
      [0, 2],
    ],
  )
})

test('rejects a row that does not name its model', async () => {
  const { report } = await importTable('question,model,output\na,gpt,x\nb,,y\n', ['--map', 'model=provider'])
  assert.match(report.refusals[0]?.detail ?? '', /does not name its model/)
})

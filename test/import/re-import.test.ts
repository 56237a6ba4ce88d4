// Imports a file of every format again after it changed: an edited score, added rows, a comment, the end of the run, and
// another configuration. Each format states what a person expects.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ImportReport } from '../../src/schema/imports.ts'
import { createTempFolder, createTestStore } from '../support/harness.ts'
import { importInto, storedEvaluation } from '../support/import-file.ts'
import { fullOnly } from '../support/options.ts'
import { zip } from '../support/zip-archives.ts'

type Content = string | Buffer
// biome-ignore lint/suspicious/noExplicitAny: edits reach deep into files of other tools.
type Document = any

interface Format {
  name: string
  /** The file name. Several formats depend on it. */
  file: string
  original: Content
  /** The numbers of evaluations and of scenarios in the file. */
  evaluations: number
  scenarios: number
  /** Whether the file contains an id of the run. */
  hasId: boolean
  /** A result of the scenario with this id is edited. */
  score: { edited: Content; id: string; evaluator: string; before: unknown; after: unknown }
  /** Rows are added to the end of the test set. `isAppended`: the file begins with the same bytes. */
  rows: { edited: Content; count: number; isAppended: boolean }
  /** A person commented on the scenario with this id. */
  comment?: { edited: Content; id: string; note: string }
  /** The run ends after it was imported for the first time. */
  end?: { running: Content; runningScenarios: number; finished: Content; metadata: object }
  /** Another prompt, model or setting ran under the same id. */
  configuration?: Content
}

const readParquet = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/parquet/${name}`, import.meta.url)))

function readFixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../fixtures/import/${name}`, import.meta.url)), 'utf8')
}

/** Changes a JSON document. */
function edit(text: string, change: (document: Document) => unknown): string {
  const document = JSON.parse(text)
  change(document)
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Changes the records of a file with one record per line. */
function editLines(text: string, change: (records: Document[]) => unknown): string {
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  change(records)
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Changes a text that occurs once. */
function replaceText(text: string, before: string, after: string): string {
  assert.equal(text.split(before).length, 2, before)
  return text.replace(before, () => after)
}

/** Edited files have numbers without trailing zeros, which are different texts. */
const normalize = (name: string) => edit(readFixture(name), () => undefined)
const normalizeLines = (name: string) => editLines(readFixture(name), () => undefined)

const addCopy = (list: Document[], changes: object) => list.push({ ...structuredClone(list[0]), ...changes })

/** JSON.parse rejects NaN. */
const INSPECT = edit(readFixture('inspect/layout-document.json').replaceAll('NaN', 'null'), () => undefined)

/** The same log as an archive. While it runs, it has no header. */
function inspectArchive(text: string, isRunning = false): Buffer {
  const { samples, eval: run, plan, version, ...log } = JSON.parse(text)
  const header = isRunning
    ? { name: '_journal/start.json', data: JSON.stringify({ version, eval: run, plan }) }
    : { name: 'header.json', data: JSON.stringify({ version, ...log, eval: run, plan }) }
  const entries = samples.map((sample: Document) => ({
    name: `samples/${sample.id}_epoch_${sample.epoch}.json`,
    data: JSON.stringify(sample),
  }))
  return zip([...entries, header])
}

const inspectEdits = {
  score: edit(INSPECT, ({ samples }) => {
    samples[0].scores.judge.value = 0.75
  }),
  rows: edit(INSPECT, ({ samples, eval: run }) => {
    addCopy(samples, { id: 'venus', uuid: 'x' })
    run.dataset.sample_ids?.push('venus')
  }),
  comment: edit(INSPECT, ({ samples }) => {
    samples[1].invalidation = { reason: 'wrong planet', author: 'Ana' }
  }),
  running: edit(INSPECT, (log) => {
    log.status = 'started'
    log.samples.splice(1)
    delete log.results
    delete log.stats
  }),
  configuration: edit(INSPECT, ({ eval: run }) => {
    run.model = 'mockllm/other'
  }),
}
const INSPECT_METADATA = { status: 'success', results: { total_samples: 2, completed_samples: 2 } }
const INSPECT_SCORE = { id: '10', evaluator: 'judge', before: 0.25, after: 0.75 }

const PROMPTFOO = normalize('promptfoo/v3-fixture-sample-export.json')
const PROMPTFOO_ID = 'b7df157c-b0cd-4852-a41a-72523ea294e7'
const PROMPTFOO_LINES = normalizeLines('promptfoo/echo-run-repeated.jsonl')
const DEEPEVAL = normalize('deepeval/test_run_sample.json')
const DEEPEVAL_WITH_ID = edit(DEEPEVAL, (run) => {
  run.testRunId = 'run-1'
  run.hyperparameters = { model: 'm-1' }
})
const LM_EVAL = normalizeLines('lm-eval/samples_toy_gsm_2026-11-15T12-40-17.831033.jsonl')
const PHOENIX = normalize('phoenix/returns-nightly.json')
const OPENAI = normalizeLines('openai/items.jsonl')
const SUITE_CSV = readFixture('promptfoo/suite.csv')
const RAGAS_CSV = readFixture('ragas/evaluate.csv')
const RAGAS_LINES = normalizeLines('ragas/evaluate.jsonl')
const LANGSMITH = readFixture('langsmith/experiment-download.csv')
const LANGSMITH_FRAME = readFixture('langsmith/to-pandas.csv')
const LANGSMITH_ID = '00000000-0000-0000-0000-000000000002'
const BRAINTRUST = normalize('braintrust/experiment.json')
const MLFLOW = normalize('mlflow/eval_results_table.json')
const MLFLOW_GENAI = normalize('mlflow/genai_result_df.json')
const LANGFUSE = normalize('langfuse/experiment-items.json')
const LANGFUSE_RUN_ITEMS = normalizeLines('langfuse/run-items.jsonl')
const CSV = 'input.question,output,score.exact,note\nCan I?,Yes,true,\nWho?,Me,false,\n'
const JSONL =
  '{"id":"a","input.question":"Can I?","output":"Yes","score.judge":0.5}\n{"id":"b","input.question":"Who?","output":"Me","score.judge":1}\n'
const SCENARIO = (id: string, score: number, members = '') =>
  `{"id":"${id}","outputs":[{"result":{"type":"text","value":"a"}}],"results":[{"evaluator_config":"exact","result":{"type":"number","value":${score}}}]${members}}\n`
const SCENARIOS = SCENARIO('a', 1) + SCENARIO('b', 0)
const EXPORT = (status: string, count: number, members = '') =>
  `{"evaluation":{"id":"full","name":"Full","status":"${status}","variant_id":"bot","revision":1${members}},"variant":{"id":"bot","name":"bot","created_at":"2026-01-01T00:00:00Z"},"revision":{"revision":1,"modified_by":"Ana","config":{"config_name":"c","parameters":{}},"created_at":"2026-01-01T00:00:00Z"}}\n${[SCENARIO('a', 1), SCENARIO('b', 0)].slice(0, count).join('')}`

const FORMATS: Format[] = [
  {
    name: 'promptfoo JSON',
    file: 'results.json',
    original: PROMPTFOO,
    evaluations: 2,
    scenarios: 4,
    hasId: true,
    score: {
      edited: edit(PROMPTFOO, ({ results }) => {
        results.results[0].gradingResult.componentResults[1].pass = true
      }),
      id: PROMPTFOO_ID,
      evaluator: 'latency',
      before: false,
      after: true,
    },
    rows: {
      edited: edit(PROMPTFOO, ({ results }) => addCopy(results.results, { id: 'added', testIdx: 9 })),
      count: 1,
      isAppended: false,
    },
    comment: {
      edited: edit(PROMPTFOO, ({ results }) => {
        results.results[0].gradingResult.comment = 'too slow'
      }),
      id: PROMPTFOO_ID,
      note: 'too slow',
    },
    configuration: edit(PROMPTFOO, ({ results }) => {
      for (const prompt of results.prompts) prompt.raw = `${prompt.raw} Think first.`
    }),
  },
  {
    name: 'promptfoo JSONL',
    file: 'results.jsonl',
    original: PROMPTFOO_LINES,
    evaluations: 1,
    scenarios: 6,
    hasId: false,
    score: {
      edited: editLines(PROMPTFOO_LINES, ([row]) => {
        row.gradingResult.componentResults[0].pass = false
      }),
      id: '8528e02c-e207-4ecb-a0a7-86e8a71178bd',
      evaluator: 'contains',
      before: true,
      after: false,
    },
    rows: {
      edited:
        PROMPTFOO_LINES +
        editLines(PROMPTFOO_LINES, (rows) => {
          const [first] = rows
          rows.splice(0, rows.length, { ...first, id: 'added', testIdx: 6, vars: { name: 'Di' } })
        }),
      count: 1,
      isAppended: true,
    },
    comment: {
      edited: editLines(PROMPTFOO_LINES, ([row]) => {
        row.gradingResult.comment = 'too short'
      }),
      id: '8528e02c-e207-4ecb-a0a7-86e8a71178bd',
      note: 'too short',
    },
  },
  {
    name: 'Inspect JSON',
    file: 'log.json',
    original: INSPECT,
    evaluations: 1,
    scenarios: 2,
    hasId: true,
    score: { edited: inspectEdits.score, ...INSPECT_SCORE },
    rows: { edited: inspectEdits.rows, count: 1, isAppended: false },
    comment: { edited: inspectEdits.comment, id: 'mars', note: 'wrong planet' },
    end: {
      running: inspectEdits.running,
      runningScenarios: 1,
      finished: INSPECT,
      metadata: INSPECT_METADATA,
    },
    configuration: inspectEdits.configuration,
  },
  {
    name: 'Inspect archives',
    file: 'log.eval',
    original: inspectArchive(INSPECT),
    evaluations: 1,
    scenarios: 2,
    hasId: true,
    score: { edited: inspectArchive(inspectEdits.score), ...INSPECT_SCORE },
    rows: { edited: inspectArchive(inspectEdits.rows), count: 1, isAppended: false },
    comment: { edited: inspectArchive(inspectEdits.comment), id: 'mars', note: 'wrong planet' },
    end: {
      running: inspectArchive(inspectEdits.running, true),
      runningScenarios: 1,
      finished: inspectArchive(INSPECT),
      metadata: INSPECT_METADATA,
    },
    configuration: inspectArchive(inspectEdits.configuration),
  },
  {
    name: 'DeepEval',
    file: 'test_run.json',
    original: DEEPEVAL,
    evaluations: 1,
    scenarios: 1,
    hasId: false,
    score: {
      edited: edit(DEEPEVAL, ({ testCases }) => {
        testCases[0].metricsData[1].score = 0.8
      }),
      id: 'sample_test_case',
      evaluator: 'Faithfulness',
      before: 0.45,
      after: 0.8,
    },
    rows: {
      edited: edit(DEEPEVAL, ({ testCases }) => addCopy(testCases, { name: 'added', order: 1 })),
      count: 1,
      isAppended: false,
    },
    comment: {
      edited: edit(DEEPEVAL, ({ testCases }) => {
        testCases[0].comments = 'checked by hand'
      }),
      id: 'sample_test_case',
      note: 'checked by hand',
    },
    configuration: edit(DEEPEVAL, (run) => {
      run.prompts = [{ alias: 'polite', text_template: 'Be polite.' }]
    }),
  },
  {
    name: 'DeepEval with an id',
    file: 'test_run.json',
    original: DEEPEVAL_WITH_ID,
    evaluations: 1,
    scenarios: 1,
    hasId: true,
    score: {
      edited: edit(DEEPEVAL_WITH_ID, ({ testCases }) => {
        testCases[0].metricsData[1].score = 0.8
      }),
      id: 'sample_test_case',
      evaluator: 'Faithfulness',
      before: 0.45,
      after: 0.8,
    },
    rows: {
      edited: edit(DEEPEVAL_WITH_ID, ({ testCases }) => addCopy(testCases, { name: 'added', order: 1 })),
      count: 1,
      isAppended: false,
    },
    configuration: edit(DEEPEVAL_WITH_ID, (run) => {
      run.hyperparameters.model = 'm-2'
    }),
  },
  {
    name: 'lm-evaluation-harness',
    file: 'samples_toy_gsm_2026-11-15T12-40-17.831033.jsonl',
    original: LM_EVAL,
    evaluations: 1,
    scenarios: 3,
    hasId: false,
    score: {
      edited: editLines(LM_EVAL, (rows) => {
        rows[1].exact_match = 1
      }),
      id: '1',
      evaluator: 'exact_match,strict-match',
      before: 0,
      after: 1,
    },
    rows: {
      edited:
        LM_EVAL +
        editLines(LM_EVAL, (rows) => {
          const [strict, flexible] = [rows[0], rows[3]]
          rows.splice(0, rows.length, { ...strict, doc_id: 3 }, { ...flexible, doc_id: 3 })
        }),
      count: 1,
      isAppended: true,
    },
  },
  {
    name: 'Phoenix',
    file: 'nightly.json',
    original: PHOENIX,
    evaluations: 1,
    scenarios: 8,
    hasId: false,
    score: {
      edited: edit(PHOENIX, (runs) => {
        runs[0].annotations[1].score = 0.25
      }),
      id: 'RGF0YXNldEV4YW1wbGU6MQ==',
      evaluator: 'judge',
      before: 0.75,
      after: 0.25,
    },
    rows: {
      edited: edit(PHOENIX, (runs) => addCopy(runs, { example_id: 'added' })),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'OpenAI',
    file: 'items.jsonl',
    original: OPENAI,
    evaluations: 1,
    scenarios: 2,
    hasId: true,
    score: {
      edited: editLines(OPENAI, ([item]) => {
        item.grades.Relevance = 7
      }),
      id: '10',
      evaluator: 'Relevance',
      before: 6,
      after: 7,
    },
    rows: {
      edited: editLines(OPENAI, (items) => addCopy(items, { data_source_idx: 11 })),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'tables as CSV',
    file: 'answers.csv',
    original: CSV,
    evaluations: 1,
    scenarios: 2,
    hasId: false,
    score: {
      edited: CSV.replace('Me,false', 'Me,true'),
      id: '2',
      evaluator: 'exact',
      before: false,
      after: true,
    },
    rows: { edited: `${CSV}Why?,So,true,\n`, count: 1, isAppended: true },
    comment: { edited: CSV.replace('Me,false,', 'Me,false,rude'), id: '2', note: 'rude' },
  },
  {
    name: 'tables as JSONL',
    file: 'answers.jsonl',
    original: JSONL,
    evaluations: 1,
    scenarios: 2,
    hasId: false,
    score: { edited: JSONL.replace('0.5', '0.75'), id: 'a', evaluator: 'judge', before: 0.5, after: 0.75 },
    rows: {
      edited: `${JSONL}{"id":"c","input.question":"Why?","output":"So","score.judge":0}\n`,
      count: 1,
      isAppended: true,
    },
    comment: {
      edited: JSONL.replace('"score.judge":1', '"score.judge":1,"note":"rude"'),
      id: 'b',
      note: 'rude',
    },
  },
  {
    name: 'Assay scenarios',
    file: 'scenarios.ndjson',
    original: SCENARIOS,
    evaluations: 1,
    scenarios: 2,
    hasId: false,
    score: {
      edited: SCENARIO('a', 1) + SCENARIO('b', 1),
      id: 'b',
      evaluator: 'exact',
      before: 0,
      after: 1,
    },
    rows: { edited: SCENARIOS + SCENARIO('c', 1), count: 1, isAppended: true },
    comment: { edited: SCENARIO('a', 1, ',"note":"rude"') + SCENARIO('b', 0), id: 'a', note: 'rude' },
  },
  {
    name: 'full exports',
    file: 'full.ndjson',
    original: EXPORT('finished', 2),
    evaluations: 1,
    scenarios: 2,
    hasId: true,
    score: {
      edited: EXPORT('finished', 1) + SCENARIO('b', 1),
      id: 'b',
      evaluator: 'exact',
      before: 0,
      after: 1,
    },
    rows: { edited: EXPORT('finished', 2) + SCENARIO('c', 1), count: 1, isAppended: true },
    comment: { edited: EXPORT('finished', 1) + SCENARIO('b', 0, ',"note":"rude"'), id: 'b', note: 'rude' },
    end: {
      running: EXPORT('running', 1),
      runningScenarios: 1,
      finished: EXPORT('finished', 2, ',"metadata":{"cost":1}'),
      metadata: { cost: 1 },
    },
  },
  {
    name: 'promptfoo CSV',
    file: 'suite.csv',
    original: SUITE_CSV,
    evaluations: 4,
    scenarios: 16,
    hasId: false,
    score: {
      edited: replaceText(
        SUITE_CSV,
        'Say bye to =1+1,PASS,1.00,"{""tone"":1}"',
        'Say bye to =1+1,PASS,1.00,"{""tone"":0.5}"',
      ),
      id: '3',
      evaluator: 'tone',
      before: 1,
      after: 0.5,
    },
    rows: {
      edited: `${SUITE_CSV},new,Di,${',Say,PASS,1.00,"{""tone"":1}",,,,1.00,,All assertions passed,'.repeat(4)}\n`,
      count: 4,
      isAppended: true,
    },
    comment: {
      edited: replaceText(
        SUITE_CSV,
        'All assertions passed,,"Please say bye',
        'All assertions passed,rude,"Please say bye',
      ),
      id: '3',
      note: 'rude',
    },
  },
  {
    name: 'RAGAS CSV',
    file: 'evaluate.csv',
    original: RAGAS_CSV,
    evaluations: 1,
    scenarios: 4,
    hasId: false,
    score: {
      edited: replaceText(RAGAS_CSV, '5,4,0.0', '5,4,0.5'),
      id: '2',
      evaluator: 'exact_match',
      before: 0,
      after: 0.5,
    },
    rows: { edited: `${RAGAS_CSV}3 + 3?,[],6,6,1.0,1.0,1.0,0.0,1.0,\n`, count: 1, isAppended: true },
  },
  {
    name: 'RAGAS JSONL',
    file: 'evaluate.jsonl',
    original: RAGAS_LINES,
    evaluations: 1,
    scenarios: 4,
    hasId: false,
    score: {
      edited: editLines(RAGAS_LINES, (rows) => {
        rows[1].exact_match = 0.5
      }),
      id: '2',
      evaluator: 'exact_match',
      before: 0,
      after: 0.5,
    },
    rows: {
      edited: editLines(RAGAS_LINES, (rows) => addCopy(rows, { user_input: '3 + 3?' })),
      count: 1,
      isAppended: true,
    },
  },
  {
    name: 'LangSmith',
    file: 'experiment.csv',
    original: LANGSMITH,
    evaluations: 1,
    scenarios: 6,
    hasId: false,
    score: {
      edited: replaceText(LANGSMITH, 'success,False,0.0,', 'success,False,0.25,'),
      id: LANGSMITH_ID,
      evaluator: 'similarity',
      before: 0,
      after: 0.25,
    },
    rows: {
      edited: `${LANGSMITH}added,"{""question"": ""New?""}",,"{""answer"": ""x""}",,1.5,9,0.1,success,True,1.0,polite\n`,
      count: 1,
      isAppended: true,
    },
  },
  {
    name: 'LangSmith data frames',
    file: 'experiment.csv',
    original: LANGSMITH_FRAME,
    evaluations: 1,
    scenarios: 6,
    hasId: false,
    score: {
      edited: replaceText(LANGSMITH_FRAME, 'False,0.0,polite,0.000313', 'False,0.25,polite,0.000313'),
      id: LANGSMITH_ID,
      evaluator: 'similarity',
      before: 0,
      after: 0.25,
    },
    rows: {
      edited: `${LANGSMITH_FRAME}New?,en,x,1,,y,"['a']",True,1.0,polite,0.5,added,added-run,\n`,
      count: 1,
      isAppended: true,
    },
  },
  {
    name: 'Braintrust',
    file: 'experiment.json',
    original: BRAINTRUST,
    evaluations: 1,
    scenarios: 5,
    hasId: true,
    score: {
      edited: edit(BRAINTRUST, ([event]) => {
        event.scores.judge = 0.75
      }),
      id: '00000000-0000-0000-0000-000000000064',
      evaluator: 'judge',
      before: 0.25,
      after: 0.75,
    },
    rows: {
      edited: edit(BRAINTRUST, (events) => addCopy(events, { id: 'added', span_id: 'added' })),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'MLflow',
    file: 'eval_results_table.json',
    original: MLFLOW,
    evaluations: 1,
    scenarios: 4,
    hasId: false,
    score: {
      edited: edit(MLFLOW, ({ data }) => {
        data[1][4] = 0.5
      }),
      id: '2',
      evaluator: 'correct/v1',
      before: 0,
      after: 0.5,
    },
    rows: {
      edited: edit(MLFLOW, ({ data }) => data.push(['3 + 3?', 'math', '6', '6', 1, 'equal', 1])),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'MLflow for GenAI',
    file: 'result_df.json',
    original: MLFLOW_GENAI,
    evaluations: 1,
    scenarios: 4,
    hasId: false,
    score: {
      edited: edit(MLFLOW_GENAI, ({ data }) => {
        data[1][2] = true
      }),
      id: '2',
      evaluator: 'exact',
      before: false,
      after: true,
    },
    rows: {
      edited: edit(MLFLOW_GENAI, ({ data, index }) => {
        data.push(['added', ...data[0].slice(1)])
        index.push(4)
      }),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'Langfuse',
    file: 'experiment-items.json',
    original: LANGFUSE,
    evaluations: 1,
    scenarios: 4,
    hasId: true,
    score: {
      edited: edit(LANGFUSE, ({ data }) => {
        data[0].scores[1].value = 0.5
      }),
      id: 'item-1',
      evaluator: 'similarity',
      before: 1,
      after: 0.5,
    },
    rows: {
      edited: edit(LANGFUSE, ({ data }) => addCopy(data, { id: 'added', experimentItemId: 'item-5' })),
      count: 1,
      isAppended: false,
    },
  },
  {
    name: 'Langfuse run items',
    file: 'run-items.jsonl',
    original: LANGFUSE_RUN_ITEMS,
    evaluations: 1,
    scenarios: 3,
    hasId: true,
    score: {
      edited: editLines(LANGFUSE_RUN_ITEMS, ([, item]) => {
        item.scores[1].value = 0.75
      }),
      id: 'item-2',
      evaluator: 'similarity',
      before: 0.5,
      after: 0.75,
    },
    rows: {
      edited: editLines(LANGFUSE_RUN_ITEMS, (items) =>
        addCopy(items, { id: 'added', datasetItemId: 'item-4' }),
      ),
      count: 1,
      isAppended: true,
    },
  },
  {
    name: 'Parquet',
    file: 'answers.parquet',
    original: readParquet('answers.parquet'),
    evaluations: 1,
    scenarios: 2,
    hasId: false,
    score: {
      edited: readParquet('answers-score.parquet'),
      id: '2',
      evaluator: 'exact',
      before: false,
      after: true,
    },
    rows: { edited: readParquet('answers-rows.parquet'), count: 1, isAppended: false },
    comment: { edited: readParquet('answers-note.parquet'), id: '2', note: 'rude' },
  },
]

const store = await createTestStore()
let projectCount = 0

/** A project, and a file in its own folder that can be imported again with other content and another name. */
function createProject({ file }: Format) {
  projectCount += 1
  const project = `project-${projectCount}`
  const folder = createTempFolder()
  const importAs = (name: string, content: Content, ...flags: string[]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return importInto({ ...store, project }, path, ...flags)
  }
  return {
    importAs,
    importContent: (content: Content, ...flags: string[]) => importAs(file, content, ...flags),
    overview: () => overview(project),
    getEvaluation: (id: string) => storedEvaluation({ ...store, project }, id),
    /** The scenario with this id, which is unique in the file. */
    async findScenario({ evaluations }: ImportReport, id: string) {
      for (const { id: evaluation } of evaluations) {
        const { scenarios } = await storedEvaluation({ ...store, project }, evaluation)
        const scenario = scenarios.find((scenario) => scenario.id === id)
        if (scenario) return scenario
      }
      throw new Error(`no scenario ${id}`)
    },
  }
}

/** What a list of evaluations and a list of variants show. */
async function overview(project: string) {
  const inProject = 'project = (SELECT key FROM project WHERE name = ?)'
  const evaluations = await store.reader.all<{
    id: string
    variant_id: string
    revision: number
    count: number
  }>(
    `SELECT id, variant_id, revision, scenario_count AS count FROM evaluation WHERE ${inProject} ORDER BY id`,
    project,
  )
  const variants = await store.reader.all<{ id: string; revision_count: number }>(
    `SELECT id, revision_count FROM variant WHERE ${inProject} ORDER BY id`,
    project,
  )
  return {
    evaluations: evaluations.map((row) => ({ ...row })),
    variants: variants.map((row) => ({ ...row })),
  }
}

/** The sums over all evaluations of the file. */
function sumCounts({ evaluations, refused }: ImportReport) {
  const sum = (name: 'accepted' | 'unchanged' | 'replaced') =>
    evaluations.reduce((total, evaluation) => total + (evaluation[name] ?? 0), 0)
  return { added: sum('accepted'), unchanged: sum('unchanged'), replaced: sum('replaced'), refused }
}

const IN_FULL = [
  'Parquet',
  'promptfoo JSONL',
  'Inspect archives',
  'DeepEval with an id',
  'Langfuse run items',
]

for (const format of FORMATS) {
  const { original, scenarios, score, rows, comment, end, configuration } = format
  const all = { added: scenarios, unchanged: 0, replaced: 0, refused: 0 }
  const none = { added: 0, unchanged: scenarios, replaced: 0, refused: 0 }

  describe(format.name, {
    skip: IN_FULL.includes(format.name) && fullOnly('it is imported like another format'),
  }, () => {
    test('the same bytes under another name change nothing, and an edited score is a conflict or a new run', async () => {
      const { importAs, importContent, overview } = createProject(format)
      const first = await importContent(original)
      assert.deepEqual([first.read, sumCounts(first)], [scenarios, all])
      assert.equal(first.evaluations.length, format.evaluations)
      const before = await overview()
      const second = await importAs(`other-${format.file}`, original)
      assert.deepEqual([second.read, sumCounts(second)], [scenarios, none], JSON.stringify(second.refusals))
      assert.deepEqual(await overview(), before)
      const withoutOption = await importContent(score.edited)
      if (format.hasId) {
        assert.equal(withoutOption.refused, 1)
        assert.match(withoutOption.refusals[0]?.detail ?? '', /on_conflict to replace/)
        assert.deepEqual(await overview(), before)
      } else {
        // A file that each run overwrites is a new run of the same configuration.
        assert.deepEqual(sumCounts(withoutOption), all)
        const after = await overview()
        assert.equal(after.evaluations.length, before.evaluations.length + format.evaluations)
        assert.deepEqual(after.variants, before.variants)
      }
    })

    test('an edited score replaces the old one with --on-conflict replace', async () => {
      const { importContent, overview, findScenario } = createProject(format)
      const first = await importContent(original)
      const before = await overview()
      const resultOf = async (report: ImportReport) =>
        (await findScenario(report, score.id)).results.find(
          ({ evaluator_config }) => evaluator_config === score.evaluator,
        )?.result.value
      assert.deepEqual(await resultOf(first), score.before)
      const second = await importContent(score.edited, '--on-conflict', 'replace')
      assert.deepEqual(sumCounts(second), { ...none, unchanged: scenarios - 1, replaced: 1 })
      assert.deepEqual(await resultOf(second), score.after)
      assert.deepEqual(await overview(), before)
    })

    test('added rows are appended, and missing rows stay', async () => {
      const { importAs, importContent, overview } = createProject(format)
      await importContent(original)
      const before = await overview()
      const flags = format.hasId || rows.isAppended ? [] : ['--on-conflict', 'replace']
      const second = await importContent(rows.edited, ...flags)
      assert.deepEqual(sumCounts(second), { ...none, added: rows.count }, JSON.stringify(second.refusals))
      assert.equal(second.read, scenarios + rows.count)
      const after = await overview()
      assert.deepEqual(after.variants, before.variants)
      assert.equal(after.evaluations.length, before.evaluations.length)
      // The longer file is known now, under any name.
      const third = await importAs(`other-${format.file}`, rows.edited)
      assert.deepEqual(sumCounts(third), { ...none, unchanged: scenarios + rows.count })
      // Rows that are missing in the new file stay.
      const fourth = await importContent(original, '--on-conflict', 'replace')
      assert.deepEqual(sumCounts(fourth), none)
      assert.deepEqual(await overview(), after)
    })

    if (comment)
      test('a comment becomes the note', async () => {
        const { importContent, findScenario } = createProject(format)
        await importContent(original)
        const second = await importContent(comment.edited, '--on-conflict', 'replace')
        assert.deepEqual(sumCounts(second), { ...none, unchanged: scenarios - 1, replaced: 1 })
        assert.equal((await findScenario(second, comment.id)).note, comment.note)
        // A file without the comment does not remove it.
        const third = await importContent(original, '--on-conflict', 'replace')
        assert.equal((await findScenario(third, comment.id)).note, comment.note)
      })

    if (end)
      test('a run that was imported while it ran ends as finished, with its results', async () => {
        const { importContent, overview, getEvaluation } = createProject(format)
        const first = await importContent(end.running)
        assert.equal(sumCounts(first).added, end.runningScenarios)
        const id = first.evaluations[0]?.id ?? ''
        assert.equal((await getEvaluation(id)).evaluation.status, 'running')
        const variants = (await overview()).variants
        const second = await importContent(end.finished)
        const added = scenarios - end.runningScenarios
        assert.deepEqual(sumCounts(second), { ...none, added, unchanged: end.runningScenarios })
        assert.partialDeepStrictEqual(second.evaluations[0]?.updated, ['status', 'metadata'])
        const { evaluation } = await getEvaluation(id)
        assert.equal(evaluation.status, 'finished')
        assert.partialDeepStrictEqual(evaluation.metadata, end.metadata)
        assert.deepEqual((await overview()).variants, variants)
      })

    if (configuration)
      test('another configuration becomes the next revision with --on-conflict replace', async () => {
        const { importContent, overview } = createProject(format)
        await importContent(original)
        const before = await overview()
        if (format.hasId) {
          const withoutOption = await importContent(configuration)
          assert.match(
            withoutOption.refusals[0]?.detail ?? '',
            /ran another revision: this file ran revision 2 /,
          )
          assert.deepEqual(await overview(), before)
        }
        const second = await importContent(configuration, '--on-conflict', 'replace')
        assert.equal(sumCounts(second).refused, 0)
        for (const { updated } of second.evaluations) assert.ok(updated.includes('revision'))
        const after = await overview()
        assert.deepEqual(
          after.evaluations.map(({ revision }) => revision),
          before.evaluations.map(() => 2),
        )
        assert.deepEqual(
          after.variants,
          before.variants.map((variant) => ({ ...variant, revision_count: 2 })),
        )
      })
  })
}

test('a promptfoo JSONL file whose second column begins later keeps the evaluation of the first', async () => {
  const { importContent, overview } = createProject({ file: 'results.jsonl' } as Format)
  const row = (testIdx: number, promptIdx: number) =>
    `${JSON.stringify({
      id: `${testIdx}-${promptIdx}`,
      testIdx,
      promptIdx,
      prompt: { raw: 'p', label: `P${promptIdx}` },
      provider: { id: 'echo' },
      vars: { q: testIdx },
      response: { output: 'o' },
      success: true,
    })}\n`
  const start = row(0, 0)
  const [first] = (await importContent(start)).evaluations
  const inserted = start.replaceAll('P0', 'NEW') + row(0, 1).replaceAll('P1', 'P0')
  const dryRun = await importContent(inserted, '--on-conflict', 'replace', '--dry-run')
  assert.ok(dryRun.evaluations.every(({ id }) => !id.startsWith(first?.id ?? '')))
  const second = await importContent(start + row(0, 1) + row(1, 0))
  assert.deepEqual(sumCounts(second), { added: 2, unchanged: 1, replaced: 0, refused: 0 })
  const third = await importContent(start + row(0, 1) + row(1, 0) + row(1, 1))
  assert.deepEqual(sumCounts(third), { added: 1, unchanged: 3, replaced: 0, refused: 0 })
  assert.deepEqual(
    (await overview()).evaluations.map(({ id, variant_id, count }) => [id, variant_id, count]),
    [
      [first?.id, 'results', 2],
      [`${first?.id}:1`, 'results:1', 2],
    ],
  )
})

test('a CSV file whose column gets its first values later stays one evaluation', async () => {
  const { importContent, overview } = createProject({ file: 'runs.csv' } as Format)
  const start = 'question,answer,judge_score\nq,a,\n'
  await importContent(start)
  const second = await importContent(`${start}r,b,0.5\n`)
  assert.deepEqual(sumCounts(second), { added: 1, unchanged: 1, replaced: 0, refused: 0 })
  assert.equal((await overview()).evaluations.length, 1)
})

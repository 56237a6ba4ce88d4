// Example values of the API, by the name of their schema. The examples of comparisons are excerpts from the sample data.
import manifest from '../package.json' with { type: 'json' }

const scenario = {
  inputs: [{ name: 'question', type: 'text', value: 'Can I return boots I wore once?' }],
  outputs: [{ result: { type: 'text', value: 'Yes, within 30 days.' }, cost: 0.00042, latency: 1.183 }],
  correct_answers: [{ key: 'answer', value: 'Worn boots can be returned within 30 days.' }],
  results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: true } }],
}
const marks = { is_pinned: false, note: null }

const evaluation = {
  id: 'support-answer-r5',
  name: 'Support answers, shorter prompt',
  variant_id: 'support-answer',
  revision: 5,
}

const revision = {
  modified_by: 'Maya',
  config: {
    config_name: 'shorter answers',
    parameters: { model: 'gpt-4o-mini', temperature: 0.2, system: 'You answer customers of the shop.' },
  },
}

const measurement = {
  n: 3,
  missing: 0,
  total: 3.6,
  mean: 1.2,
  mean_interval: null,
  minimum: 1.2,
  maximum: 1.2,
  quantiles: { p05: 1.2, p25: 1.2, p50: 1.2, p75: 1.2, p95: 1.2 },
  bins: [{ from: 1.2, to: 1.2, count: 3 }],
}

const agreedVerdicts = {
  n: 105,
  both_pass: 58,
  both_fail: 31,
  only_evaluator: 4,
  only_with: 12,
  agreement: 0.847619047619,
  kappa: 0.675675675676,
  interval: [0.531718365281, 0.819632986071],
  precision: 0.935483870968,
  recall: 0.828571428571,
}

const key = {
  public_id: '0FNaIItLTdVu',
  last_four: 'x7Qf',
  name: 'for the review',
  created_at: '2026-11-15T09:15:00.123Z',
}
const confined_to = { comparison: ['support-answer-r4', 'support-answer-r5'] }
const share = { ...key, scopes: ['read'], confined_to, expires_at: '2026-11-22T09:15:00.123Z' }

const join = { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] }
const classes = { regressed: 29, improved: 4, same: 79, unclear: 0, incomparable: 8, missing: 0 }

const comparedEvaluation = { variant_id: 'support-answer', scenario_count: 120, row_count: 120 }
const inputs = ['question', 'customer', 'language', 'topic', 'asked_on']

const row = {
  position: 0,
  id: 'returns-001',
  inputs: [{ name: 'language', type: 'text', value: 'en' }],
  outputs: [
    {
      result: { type: 'text', value: 'Hello Luc,\n\nReturns are open for 30 days from the delivery d' },
      cost: 0.001639,
      latency: 2.082,
    },
  ],
  correct_answers: [{ key: 'must_mention', value: '30 days' }],
  ...marks,
  results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: true } }],
  cut: ['/outputs/0/result/value'],
}

const candidateRow = {
  ...row,
  outputs: [
    {
      result: { type: 'text', value: 'You have 14 days from purchase to send it back. After that w' },
      cost: 0.001114,
      latency: 1.36,
    },
  ],
  is_pinned: true,
  note: '14 days from purchase?! We promise 30 from delivery on every',
  results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: false } }],
  cut: ['/outputs/0/result/value', '/note'],
}

export const EXAMPLES: Readonly<Record<string, object>> = {
  ApiIndex: {
    name: 'Assay',
    version: manifest.version,
    links: { docs: '/docs', openapi: '/api/openapi.json', evaluations: '/api/evaluations' },
  },
  EvaluationScenario: { id: 'returns-004', evaluation_id: 'support-answer-r5', ...scenario, ...marks },
  ScenarioWrite: { id: 'returns-004', ...scenario },
  ScenarioPatch: { is_pinned: true, note: 'Look again: the policy changed.' },
  Appended: { accepted: 1, unchanged: 0 },
  NewResult: {
    scenario_id: 'returns-004',
    evaluator_config: 'tone',
    result: { type: 'number', value: 0.8 },
    reason: 'Polite, but it does not mention the exception.',
    by: 'Maya',
  },
  AddedResults: { added: 1, replaced: 0, unchanged: 0 },
  EvaluationRows: {
    total: 16,
    offset: 0,
    rows: [{ position: 3, id: 'returns-004', ...scenario, ...marks, cut: [] }],
  },
  Evaluation: {
    ...evaluation,
    baseline_id: 'support-answer-r4',
    source: 'sample',
    created_at: '2026-10-06T14:02:11.408Z',
    updated_at: '2026-10-06T14:09:37.052Z',
    status: 'finished',
    scenario_count: 120,
    expected_count: 120,
    tags: ['nightly'],
    evaluators: [{ name: 'answer_correct', higher_is_better: true }],
    metadata: { dataset: 'support-tickets' },
  },
  ScenarioHistory: {
    evaluation_id: 'support-answer-r5',
    scenario_id: 'returns-004',
    variant_id: 'support-answer',
    evaluation_count: 5,
    rows: [
      {
        evaluation_id: 'support-answer-r5',
        name: evaluation.name,
        revision: 5,
        created_at: '2026-10-06T14:02:11.408Z',
        scenario_id: 'returns-004',
        matched_by: 'id',
        results: scenario.results,
        cost: 0.00042,
        latency: 1.183,
        output_failed: false,
        output_changed: null,
      },
    ],
  },
  EvaluationWrite: evaluation,
  EvaluationPatch: { status: 'finished', baseline_id: 'support-answer-r4' },
  Agreement: {
    id: 'support-answer-r5',
    evaluator: { name: 'judge', kind: 'model', higher_is_better: true, threshold: 0.7 },
    with: { name: 'answer_correct', kind: 'human', higher_is_better: true, threshold: null },
    rows: 120,
    n: 105,
    verdicts: agreedVerdicts,
    numbers: null,
    best_threshold: { threshold: 0.7, ...agreedVerdicts },
    warnings: [],
  },
  EvaluationSummary: {
    id: 'support-answer-r5',
    scenario_count: 3,
    matched: 3,
    rows: 3,
    output_errors: 0,
    pinned: 1,
    noted: 0,
    columns: { inputs: ['question'], expected: ['answer'], evaluators: ['answer_correct'] },
    evaluators: [
      {
        name: 'answer_correct',
        higher_is_better: true,
        threshold: null,
        n: 2,
        texts: 0,
        errors: 1,
        output_errors: 0,
        unscored: 0,
        passed: 2,
        failed: 0,
        pass_rate: 1,
        pass_rate_interval: [0.158113883008, 1],
        mean: 1,
        mean_interval: [0.158113883008, 1],
        minimum: 1,
        maximum: 1,
        quantiles: { p05: 1, p25: 1, p50: 1, p75: 1, p95: 1 },
        bins: [{ from: 1, to: 1, count: 2 }],
      },
    ],
    cost: measurement,
    latency: measurement,
    error_groups: [
      { group: 'Timeout after <n> ms', evaluator: 'answer_correct', count: 1, first: 'returns-004' },
    ],
    error_group_count: 1,
  },
  Breakdown: {
    id: 'support-answer-r5',
    by: 'input.topic',
    evaluators: [{ name: 'answer_correct', higher_is_better: true, threshold: null }],
    base: {
      id: 'support-answer-r4',
      name: 'Support answer r4: haiku at 0.2',
      variant_id: 'support-answer',
      revision: 4,
      chosen: null,
      by: 'id',
      matched: 120,
      match_rate: 1,
      has_different_rows: false,
    },
    total: {
      rows: 120,
      output_errors: 2,
      evaluators: [
        {
          name: 'answer_correct',
          n: 117,
          mean: 0.700854700855,
          pass_rate: 0.700854700855,
          base: {
            n: 112,
            mean: 0.910714285714,
            delta: -0.223214285714,
            interval: [-0.322769959309, -0.127293965231],
            outcome: 'worse',
            detectable: 0.14841919266,
            confidence: 0.95,
            contribution: -0.223214285714,
            regressed: 29,
            improved: 4,
            unclear: 0,
          },
        },
      ],
      cost: {
        n: 118,
        total: 0.133401,
        mean: 0.00113051694915,
        base: {
          n: 115,
          mean: 0.00162866956522,
          delta: -0.000497217391304,
          interval: [-0.00051764927387, -0.000476785508738],
          outcome: 'better',
          detectable: 0.0000291419117635,
          confidence: 0.95,
          contribution: -0.000497217391304,
          regressed: 0,
          improved: 115,
          unclear: 0,
        },
      },
      latency: {
        n: 120,
        mean: 1.81543333333,
        base: {
          n: 120,
          mean: 2.2119,
          delta: -0.396466666667,
          interval: [-1.80424043703, 1.01130710369],
          outcome: 'tied',
          detectable: 2.00808466503,
          confidence: 0.95,
          contribution: -0.396466666667,
          regressed: 20,
          improved: 100,
          unclear: 0,
        },
      },
    },
    group_count: 12,
    groups: [
      {
        kind: 'value',
        value: 'returns',
        first: 'returns-001',
        rows: 20,
        output_errors: 0,
        evaluators: [
          {
            name: 'answer_correct',
            n: 20,
            mean: 0.25,
            pass_rate: 0.25,
            base: {
              n: 20,
              mean: 0.9,
              delta: -0.65,
              interval: [-0.908673152119, -0.151345610459],
              outcome: 'worse',
              detectable: 0.602567795245,
              confidence: 0.995833333333,
              contribution: -0.116071428571,
              regressed: 13,
              improved: 0,
              unclear: 0,
            },
          },
        ],
        cost: {
          n: 20,
          total: 0.022519,
          mean: 0.00112595,
          base: {
            n: 20,
            mean: 0.00164775,
            delta: -0.0005218,
            interval: [-0.000574340239168, -0.000469259760832],
            outcome: 'better',
            detectable: 0.0000672114332568,
            confidence: 0.995833333333,
            contribution: -0.000090747826087,
            regressed: 0,
            improved: 20,
            unclear: 0,
          },
        },
        latency: {
          n: 20,
          mean: 1.1869,
          base: {
            n: 20,
            mean: 1.51665,
            delta: -0.32975,
            interval: [-0.840641449325, 0.181141449325],
            outcome: 'tied',
            detectable: 0.653551393967,
            confidence: 0.995833333333,
            contribution: -0.0549583333333,
            regressed: 2,
            improved: 18,
            unclear: 0,
          },
        },
      },
    ],
    rest: null,
  },
  Comparison: {
    evaluations: [
      {
        id: 'support-answer-r4',
        name: 'Support answer r4: haiku at 0.2',
        revision: 4,
        ...comparedEvaluation,
        inputs,
      },
      {
        id: 'support-answer-r5',
        name: 'Support answer r5: three sentences',
        revision: 5,
        ...comparedEvaluation,
        inputs,
      },
    ],
    join,
    candidates: [
      {
        id: 'support-answer-r5',
        matched: 120,
        match_rate: 1,
        only_in_base: 0,
        only_in_candidate: 0,
        outputs_changed: 120,
        answers_differ: 0,
        inputs_differ: 0,
        has_different_rows: false,
        evaluators: [
          {
            name: 'answer_correct',
            higher_is_better: true,
            n: 112,
            base_mean: 0.910714285714,
            mean: 0.6875,
            delta: -0.223214285714,
            interval: [-0.322769959309, -0.127293965231],
            outcome: 'worse',
            detectable: 0.14841919266,
            is_verdict: true,
            p_value: 0.0000109286047518,
            classes,
          },
        ],
        cost: {
          n: 115,
          base_mean: 0.00162866956522,
          mean: 0.00113145217391,
          delta: -0.000497217391304,
          interval: [-0.00051764927387, -0.000476785508738],
          outcome: 'better',
          detectable: 0.0000291419117635,
        },
        latency: {
          n: 120,
          base_mean: 2.2119,
          mean: 1.81543333333,
          delta: -0.396466666667,
          interval: [-1.80424043703, 1.01130710369],
          outcome: 'tied',
          detectable: 2.00808466503,
        },
        gate: {
          decision: 'failed',
          reasons: [
            {
              code: 'certain',
              evaluator: 'answer_correct',
              detail:
                "'answer_correct' is certainly worse: observed loss 22.3 points, true loss at least 12.7 points. 29 of 112 rows regressed, 4 improved.",
            },
          ],
          checks: [
            {
              name: 'answer_correct',
              n: 112,
              scored: 115,
              is_verdict: true,
              loss: 0.223214285714,
              interval: [0.127293965231, 0.322769959309],
            },
          ],
          unchecked: [],
        },
      },
    ],
    warnings: [],
  },
  /** The first regressed row of the evaluator answer_correct, with preview=60. */
  ComparisonRows: {
    join,
    show: 'regressed',
    on: 'answer_correct',
    total: 29,
    offset: 0,
    classes,
    rows: [
      {
        base: row,
        base_score: { count: 1, passes: 1, mean: 1 },
        base_repeats: null,
        candidates: [
          {
            row: candidateRow,
            class: 'regressed',
            score: { count: 1, passes: 0, mean: 0 },
            repeats: null,
            delta: -1,
            output_changed: true,
          },
        ],
      },
    ],
  },
  Variant: {
    id: 'support-answer',
    name: 'Support answer',
    created_at: '2026-09-03T09:15:00.123Z',
    updated_at: '2026-10-06T09:15:00.123Z',
    revision_count: 7,
    latest_revision: 7,
  },
  VariantWrite: { id: 'support-answer', name: 'Support answer' },
  VariantPatch: { name: 'Support answers' },
  VariantRevision: { revision: 5, ...revision, created_at: '2026-10-06T09:15:00.123Z' },
  RevisionWrite: { ...revision, message: 'Shorter answers.' },
  RevisionDiff: {
    variant_id: 'support-answer',
    from: 4,
    to: 5,
    config_name: { old: 'polite', new: 'shorter answers' },
    parameter_count: 9,
    change_count: 3,
    changes: [
      { path: 'temperature', old_path: null, kind: 'changed', old: 0.7, new: 0.2, lines: null },
      {
        path: 'messages[1].content',
        old_path: 'messages[0].content',
        kind: 'changed',
        old: 'You answer customers.\nTake your time.',
        new: 'You answer customers.\nThree sentences at most.',
        lines: { added: 1, removed: 1 },
      },
      { path: 'stop', old_path: null, kind: 'removed', old: [], lines: null },
    ],
  },
  ImportReport: {
    file: 'results.json',
    format: 'promptfoo',
    stored: true,
    read: 120,
    evaluations: [
      {
        id: 'eval-WJi-2026-10-01T20:08:11',
        name: 'Support answers',
        updated: [],
        accepted: 120,
        unchanged: 0,
      },
    ],
    variants: [{ id: 'Support answers', accepted: 1, unchanged: 0 }],
    refused: 0,
    refusals: [],
    repaired: 0,
    repairs: [],
    omitted: 0,
    omissions: [],
    notes: [],
    columns: [],
    first: [],
  },
  Change: {
    sequence: 4711,
    time: '2026-11-15T09:15:00.123Z',
    action: 'scenarios.appended',
    evaluation_id: 'support-answer-r5',
    scenario_id: null,
    variant_id: null,
    revision: null,
    counts: { scenarios: 120 },
    version: 'O7aOxRKVX6l-Yjsr',
    cursor: 'WyJNaGRJeWxybDExS3IiLDQ3MTEsIkd0a0hINllCamJiYmxZQWUiXQ',
  },
  OwnKey: { ...key, project: 'default', scopes: ['read'], confined_to: null, expires_at: null },
  Share: share,
  NewShare: { key: 'assay_0FNaIItLTdVu_…x7Qf', ...share },
  ShareWrite: { confined_to, name: 'for the review' },
}

/** Example elements in CSV. */
export const CSV_EXAMPLES: Readonly<Record<string, string>> = {
  EvaluationScenario: [
    'id,input.question,output,expected.answer,score.answer_correct,cost,latency,error,is_pinned,note',
    'returns-004,Can I return boots I wore once?,"Yes, within 30 days.",Worn boots can be returned within 30 days.,true,0.00042,1.183,,false,',
    '',
  ].join('\r\n'),
  VariantRevision: [
    'revision,modified_by,config_name,parameters,created_at',
    '5,Maya,shorter answers,"{""model"":""gpt-4o-mini"",""temperature"":0.2}",2026-10-06T09:15:00.123Z',
    '',
  ].join('\r\n'),
}

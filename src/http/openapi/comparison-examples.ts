// Example responses of the comparison operations, from the sample data.

const join = { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] }

export const COMPARISON_EXAMPLE = {
  evaluations: [
    {
      id: 'support-answer-r4',
      name: 'Support answer r4: haiku at 0.2',
      variant_id: 'support-answer',
      revision: 4,
      scenario_count: 120,
      inputs: ['question', 'customer', 'language', 'topic', 'asked_on'],
    },
    {
      id: 'support-answer-r5',
      name: 'Support answer r5: three sentences',
      variant_id: 'support-answer',
      revision: 5,
      scenario_count: 120,
      inputs: ['question', 'customer', 'language', 'topic', 'asked_on'],
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
      evaluators: [
        {
          name: 'answer_correct',
          higher_is_better: true,
          n: 112,
          base_mean: 0.9107142857142857,
          mean: 0.6875,
          delta: -0.22321428571428573,
          interval: [-0.31526273310296615, -0.1311658383256053],
          outcome: 'worse',
          p_value: 0.00001092860475182536,
          classes: { regressed: 29, improved: 4, same: 79, incomparable: 8, missing: 0 },
        },
        {
          name: 'faithfulness',
          higher_is_better: true,
          n: 106,
          base_mean: 0.8391509433962264,
          mean: 0.7258490566037735,
          delta: -0.11330188679245283,
          interval: [-0.18915310102378774, -0.037450672561117906],
          outcome: 'worse',
          p_value: null,
          classes: { regressed: 41, improved: 46, same: 19, incomparable: 14, missing: 0 },
        },
        {
          name: 'tone',
          higher_is_better: true,
          n: 0,
          base_mean: null,
          mean: null,
          delta: null,
          interval: null,
          outcome: null,
          p_value: null,
          classes: { regressed: 0, improved: 0, same: 0, incomparable: 120, missing: 0 },
        },
        {
          name: 'cites_policy',
          higher_is_better: true,
          n: 114,
          base_mean: 0.9473684210526315,
          mean: 0.5789473684210527,
          delta: -0.3684210526315789,
          interval: [-0.46989149253227563, -0.2669506127308822],
          outcome: 'worse',
          p_value: 4.4617820549319674e-10,
          classes: { regressed: 46, improved: 4, same: 64, incomparable: 6, missing: 0 },
        },
      ],
      cost: {
        n: 115,
        base_mean: 0.0016286695652173912,
        mean: 0.0011314521739130435,
        delta: -0.0004972173913043479,
        interval: [-0.0005174327600719917, -0.000477002022536704],
        outcome: 'better',
      },
      latency: {
        n: 120,
        base_mean: 2.2119,
        mean: 1.8154333333333335,
        delta: -0.3964666666666667,
        interval: [-1.7899502089429, 0.9970168756095665],
        outcome: 'tied',
      },
    },
  ],
  warnings: [],
}

const row = {
  position: 0,
  id: 'returns-001',
  inputs: [
    { name: 'question', type: 'text', value: 'Hi there, the Drift down jacket from order LK-46018 arrived ' },
    { name: 'customer', type: 'json', value: '{"name":"Luc Girard","country":"FR","tier":"Hiker","points":' },
    { name: 'language', type: 'text', value: 'en' },
    { name: 'topic', type: 'text', value: 'returns' },
    { name: 'asked_on', type: 'text', value: '2026-09-09' },
  ],
  outputs: [
    {
      result: { type: 'text', value: 'Hello Luc,\n\nReturns are open for 30 days from the delivery d' },
      cost: 0.001639,
      latency: 2.082,
    },
  ],
  correct_answers: [
    { key: 'answer', value: 'The customer has 30 days from delivery; the item must be unu' },
    { key: 'must_mention', value: '30 days' },
  ],
  is_pinned: false,
  note: null,
  results: [
    { evaluator_config: 'answer_correct', result: { type: 'bool', value: true } },
    { evaluator_config: 'faithfulness', result: { type: 'number', value: 0.92 } },
    { evaluator_config: 'tone', result: { type: 'text', value: 'neutral' } },
    { evaluator_config: 'cites_policy', result: { type: 'bool', value: true } },
  ],
  cut: ['/inputs/0/value', '/inputs/1/value', '/outputs/0/result/value', '/correct_answers/0/value'],
}

/** The first regressed row of the evaluator answer_correct, with preview=60. */
export const COMPARISON_ROWS_EXAMPLE = {
  join,
  show: 'regressed',
  on: 'answer_correct',
  total: 29,
  offset: 0,
  classes: { regressed: 29, improved: 4, same: 79, incomparable: 8, missing: 0 },
  rows: [
    {
      base: row,
      candidates: [
        {
          row: {
            ...row,
            outputs: [
              {
                result: {
                  type: 'text',
                  value: 'You have 14 days from purchase to send it back. After that w',
                },
                cost: 0.001114,
                latency: 1.36,
              },
            ],
            is_pinned: true,
            note: '14 days from purchase?! We promise 30 from delivery on every',
            results: [
              { evaluator_config: 'answer_correct', result: { type: 'bool', value: false } },
              { evaluator_config: 'faithfulness', result: { type: 'number', value: 0 } },
              { evaluator_config: 'tone', result: { type: 'text', value: 'neutral' } },
              { evaluator_config: 'cites_policy', result: { type: 'bool', value: false } },
            ],
            cut: [
              '/inputs/0/value',
              '/inputs/1/value',
              '/outputs/0/result/value',
              '/correct_answers/0/value',
              '/note',
            ],
          },
          class: 'regressed',
          delta: -1,
          output_changed: true,
        },
      ],
    },
  ],
}

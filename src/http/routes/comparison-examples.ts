// What comparisons answer, as the OpenAPI document shows it.

const join = { by: 'id', asked: 'auto', tried: [{ by: 'id', match_rate: 1 }] }

export const COMPARISON_EXAMPLE = {
  evaluations: [
    {
      id: 'support-answer-r4',
      name: 'Support answers',
      variant_id: 'support-answer',
      revision: 4,
      scenario_count: 120,
    },
    {
      id: 'support-answer-r5',
      name: 'Support answers, shorter prompt',
      variant_id: 'support-answer',
      revision: 5,
      scenario_count: 120,
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
      outputs_changed: 97,
      answers_differ: 0,
      evaluators: [
        {
          name: 'answer_correct',
          higher_is_better: true,
          n: 118,
          base_mean: 0.8135593220338984,
          mean: 0.8898305084745762,
          delta: 0.07627118644067797,
          interval: [0.015268452640398, 0.137273920240958],
          outcome: 'better',
          p_value: 0.022460937500000003,
          classes: { regressed: 2, improved: 11, same: 105, incomparable: 2, missing: 0 },
        },
      ],
      cost: {
        n: 120,
        base_mean: 0.00051,
        mean: 0.00042,
        delta: -0.00009,
        interval: [-0.0001, -0.00008],
        outcome: 'better',
      },
      latency: {
        n: 120,
        base_mean: 1.2,
        mean: 1.183,
        delta: -0.017,
        interval: [-0.061, 0.027],
        outcome: 'tied',
      },
    },
  ],
  warnings: [
    {
      code: 'evaluator-differs',
      evaluation: 'support-answer-r5',
      evaluator: 'answer_correct',
      rows: null,
      detail:
        "'support-answer-r5' declares the evaluator 'answer_correct' with another direction or threshold than the base. The base's direction is used.",
    },
  ],
}

const row = {
  position: 3,
  id: 'returns-004',
  inputs: [{ name: 'question', type: 'text', value: 'Can I return boots I wore once?' }],
  outputs: [{ result: { type: 'text', value: 'Yes, within 30 days.' }, cost: 0.00051, latency: 1.2 }],
  correct_answers: [{ key: 'answer', value: 'Worn boots can be returned within 30 days.' }],
  is_pinned: false,
  note: null,
  results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: true } }],
  cut: [],
}

export const COMPARISON_ROWS_EXAMPLE = {
  join,
  show: 'regressed',
  on: 'answer_correct',
  total: 2,
  offset: 0,
  rows: [
    {
      base: row,
      candidates: [
        {
          row: {
            ...row,
            outputs: [{ result: { type: 'text', value: 'No.' }, cost: 0.00042, latency: 0.9 }],
            results: [{ evaluator_config: 'answer_correct', result: { type: 'bool', value: false } }],
          },
          class: 'regressed',
          delta: -1,
          output_changed: true,
        },
      ],
    },
  ],
}

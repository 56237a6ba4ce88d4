// Arbitraries for evaluations with every case that statistics must distinguish: scores of every kind, errors of the
// application and of evaluators, and missing results.
import fc from 'fast-check'

export interface Declared {
  name: string
  higher_is_better?: boolean
  threshold?: number
}
/** A scenario as the API returns it. */
export interface Row {
  id: string
  inputs: { name: string }[]
  outputs: { result: { error?: { message: string } | null }; cost?: number | null; latency?: number | null }[]
  correct_answers: { key: string }[] | null
  results: { evaluator_config: string; result: { value?: unknown; error?: { message: string } | null } }[]
  is_pinned: boolean | null
  note: string | null
}

const text = JSON.stringify
const NUMBERS = [
  '0',
  '-0',
  '1',
  '1',
  '0.5',
  '-3',
  '0.1',
  '7e3',
  '1e-7',
  '5e-324',
  '1.7e308',
  '-1.7e308',
  '1e400',
]
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '1', '0.5', '0.25', '-3', '0.1', '1') },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }).map(String) },
)
const message = fc.constantFrom('HTTP 429 after 12 ms', 'HTTP 503 after 7 ms', "can't", '', 'Ünwell')
const error = message.map((message) => `{"type":"error","value":null,"error":{"message":${text(message)}}}`)
export const verdict = fc.boolean().map((value) => `{"type":"bool","value":${value}}`)
export const score = number.map((value) => `{"type":"number","value":${value}}`)
/** Results of every kind as JSON texts. */
export const result = fc.oneof(
  verdict,
  { weight: 3, arbitrary: score },
  fc.constantFrom('"good"', '""', '"1"').map((value) => `{"type":"text","value":${value}}`),
  fc.constantFrom('null', '[1]', '{"a":1}').map((value) => `{"type":"json","value":${value}}`),
  fc.constant('{"type":"number"}'),
  error,
  number.map((value) => `{"type":"number","value":${value},"error":{"message":"failed with ${value}"}}`),
)
const evaluator = fc.constantFrom('exact', 'judge', 'length', 'ä/b', '\u0000')
/** The evaluator `passes` returns only verdicts and errors. */
const scored = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(evaluator, result) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('passes'), fc.oneof(verdict, verdict, error)) },
)
const amount = fc.oneof(
  number.filter((text) => Number.isFinite(Number(text))),
  fc.constant('null'),
)
const cost = amount.map((text) => text.replace(/^-/, ''))
const output = fc.oneof(
  { weight: 3, arbitrary: fc.constant('{"type":"text","value":"x"}') },
  { weight: 1, arbitrary: error },
)
/** A scenario as JSON text, because numbers can exceed the range of a double. */
export const scenario = fc
  .record({
    inputs: fc.subarray(['question', 'language']),
    answers: fc.subarray(['answer', 'source']),
    outputs: fc.array(fc.tuple(output, cost, amount), { minLength: 0, maxLength: 2 }),
    results: fc.array(scored, { maxLength: 5 }),
    is_pinned: fc.constantFrom(true, false, null),
    note: fc.constantFrom('Look again', '', null),
    sample: fc.uuid(),
  })
  .map(({ inputs, answers, outputs, results, is_pinned, note, sample }) => {
    const members = [
      `"inputs":[${inputs.map((name) => `{"name":"${name}","type":"text","value":"x"}`)}]`,
      `"outputs":[${outputs.map(([result, cost, latency]) => `{"result":${result},"cost":${cost},"latency":${latency}}`)}]`,
      `"correct_answers":${text(answers.map((key) => ({ key, value: 'x' })))}`,
      `"results":[${results.map(([name, result]) => `{"evaluator_config":${text(name)},"result":${result}}`)}]`,
      `"is_pinned":${is_pinned},"note":${text(note)}`,
      // Each scenario is a row of its own, even if its inputs and answers are those of another one.
      `"extra":{"sample":"${sample}"}`,
    ]
    return `{${members.join(',')}}`
  })
/** The evaluators that an evaluation declares. */
export const declared = fc.option(
  fc.array(
    fc.record(
      {
        name: fc.oneof(evaluator, fc.constant('passes')),
        higher_is_better: fc.boolean(),
        threshold: fc.constantFrom(0, 0.5, -3, 1),
      },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 4 },
  ),
)

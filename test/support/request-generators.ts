// fast-check arbitraries for requests: texts, ids, and valid and corrupted bodies of writes.
import fc from 'fast-check'
import { anyCharacter } from './characters.ts'
import { SPECIAL_ID } from './corpus.ts'
import { EVALUATIONS, nestedArrays, VARIANTS } from './write-requests.ts'

/** A valid header value: visible ASCII characters and spaces. */
export const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})
const anyText = fc.string({ unit: anyCharacter, maxLength: 30 })
export const encodedText = anyText.map((text) => encodeURIComponent(text))

/** An id in a path: of the corpus, random, or malformed. */
export const pathId = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('full', 'empty', 'foreign', 'shared', 'exact', encodeURIComponent(SPECIAL_ID)),
  },
  { weight: 2, arbitrary: encodedText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('..', '%2e', '%00', '%zz', '%ff', '%ED%A0%80', '%2F', '', '*', "'", '";--'),
  },
)

/** Picks the first arbitrary nine times out of ten. */
export function mostly<Value>(value: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: other })
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 4 })
const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 })
const optional = { requiredKeys: [] as [] }

/** Only a few ids, so that writes conflict with earlier ones. None of them is used by the read tests. */
const target = fc.constantFrom('w-0', 'w-1', 'w-2', 'w-3')
const name = fc.oneof(fc.constantFrom('a', 'b', 'question'), anyText)
const time = fc.constantFrom(
  '2026-01-02T03:04:05Z',
  '2026-01-02t03:04:05.12345+02:00',
  '0001-01-01T00:00:00Z',
)
const amount = maybe(fc.double({ noNaN: true, noDefaultInfinity: true }))
const cost = maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
const json = fc.jsonValue({ maxDepth: 3 })
const object = fc.dictionary(name, json, { maxKeys: 4 })

const evaluator = fc.record({ name, threshold: amount, higher_is_better: maybe(fc.boolean()) })
const evaluationMembers = {
  name: maybe(anyText),
  variant_id: maybe(fc.oneof(target, fc.constant('full'))),
  baseline_id: maybe(target),
  evaluators: maybe(few(evaluator)),
  metadata: maybe(object),
}
const evaluationPatch = fc.record(evaluationMembers, optional)
const evaluation = fc.record(
  { ...evaluationMembers, id: target, source: maybe(anyText), created_at: time },
  optional,
)
const error = fc.record({ message: anyText, stacktrace: maybe(anyText) })
const result = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'json', 'bool', 'number'), value: json }),
  fc.record({ type: fc.constant('error'), error }),
)
const scenario = fc.record(
  {
    id: fc.nat(30).map((number) => `s-${number}`),
    inputs: few(fc.record({ name, type: fc.constantFrom('text', 'json'), value: json })),
    outputs: few(fc.record({ result, cost, latency: amount })),
    correct_answers: maybe(few(fc.record({ key: name, value: anyText }))),
    is_pinned: maybe(fc.boolean()),
    note: maybe(anyText),
    results: few(fc.record({ evaluator_config: name, result })),
    extra: maybe(object),
  },
  optional,
)
const scenarioPatch = fc.record({ is_pinned: maybe(fc.boolean()), note: maybe(anyText) }, optional)
const variant = fc.record({ id: target, name: maybe(anyText) }, optional)
const revision = fc.record(
  {
    modified_by: name,
    config: fc.record({ config_name: name, parameters: object }, { requiredKeys: ['config_name'] }),
    revision: fc.nat(5),
    message: maybe(anyText),
    created_at: time,
  },
  { requiredKeys: ['modified_by', 'config'] },
)

const writtenId = mostly(target, pathId)
/** Excludes the ids of the read tests. Excludes w-0 and w-1 too, so that not everything gets deleted. */
const deletedId = mostly(fc.constantFrom('w-2', 'w-3'), fc.constantFrom('foreign', 'none', '%00', '%zz'))
const scenarioPath = fc.tuple(mostly(target, fc.constantFrom('full', 'foreign')), fc.nat(30))

/** The write operations: method, weight, path and document. */
const OPERATIONS: [
  method: string,
  weight: number,
  path: fc.Arbitrary<string>,
  document: fc.Arbitrary<unknown>,
][] = [
  ['POST', 2, fc.constant(EVALUATIONS), evaluation],
  ['PATCH', 2, writtenId.map((id) => `${EVALUATIONS}/${id}`), evaluationPatch],
  ['DELETE', 1, deletedId.map((id) => `${EVALUATIONS}/${id}`), scenarioPatch],
  ['POST', 5, writtenId.map((id) => `${EVALUATIONS}/${id}/evaluation_scenarios`), few(scenario)],
  [
    'PATCH',
    2,
    scenarioPath.map(([id, number]) => `${EVALUATIONS}/${id}/evaluation_scenarios/s-${number}`),
    scenarioPatch,
  ],
  ['POST', 2, fc.constant(VARIANTS), variant],
  ['DELETE', 1, deletedId.map((id) => `${VARIANTS}/${id}`), scenarioPatch],
  ['POST', 2, writtenId.map((id) => `${VARIANTS}/${id}/revisions`), revision],
]

/** Changes one value of a document. `at`, from 0 to 1, selects the value. */
interface ValueMutation {
  how: 'remove' | 'replace' | 'repeat'
  at: number
  /** Replacement, as JSON. */
  other: string
}
const valueMutation: fc.Arbitrary<ValueMutation> = fc.record({
  how: fc.constantFrom('remove', 'replace', 'repeat'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  other: fc.oneof(
    fc.constantFrom('null', '1', '-1', '1.0', '1e400', '2147483648', 'true', '""', '"\\u0000"', '"\\ud800"'),
    fc.constantFrom(
      '[]',
      '{}',
      '{"a":1,"\\u0061":2}',
      '"2026-02-30T00:00:00Z"',
      '".."',
      '"full"',
      '"foreign"',
    ),
    fc.nat(200).map(nestedArrays),
    json.map((value) => JSON.stringify(value)),
  ),
})

/** Changes some bytes. `at`, from 0 to 1, selects the position. */
interface ByteMutation {
  how: 'flip' | 'cut' | 'insert' | 'repeat'
  at: number
  bytes: Uint8Array
}
const byteMutation: fc.Arbitrary<ByteMutation> = fc.record({
  how: fc.constantFrom('flip', 'cut', 'insert', 'repeat'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
})
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

export interface GeneratedWrite {
  method: string
  path: string
  body: Uint8Array
  isNdjson: boolean
}

/** A write whose body is valid, slightly corrupted, or random bytes. */
export const generatedWrite: fc.Arbitrary<GeneratedWrite> = fc
  .record({
    operation: fc.oneof(
      ...OPERATIONS.map(([method, weight, path, document]) => ({
        weight,
        arbitrary: fc.record({ method: fc.constant(method), path, document }),
      })),
    ),
    isNdjson: fc.boolean(),
    value: rarely(valueMutation),
    bytes: rarely(byteMutation),
    noise: mostly<Uint8Array | undefined>(fc.constant(undefined), fc.uint8Array({ maxLength: 200 })),
  })
  .map(({ operation: { method, path, document }, isNdjson, value, bytes, noise }) => {
    const text = value ? mutateValue(document, value, isNdjson) : textOf(document, isNdjson)
    const whole = noise ?? Buffer.from(text)
    return {
      method,
      path,
      body: bytes ? mutateBytes(whole, bytes) : whole,
      isNdjson: isNdjson && Array.isArray(document),
    }
  })

function textOf(document: unknown, isNdjson: boolean): string {
  if (!isNdjson || !Array.isArray(document)) return JSON.stringify(document) ?? ''
  return document.map((item) => `${JSON.stringify(item)}\n`).join('')
}

const PLACEHOLDER = '\u0000 placeholder \u0000'

function mutateValue(document: unknown, { how, at, other }: ValueMutation, isNdjson: boolean): string {
  const root: Container = { document: structuredClone(document) }
  const values = valuesIn(root)
  const [container, name] = values[Math.floor(at * values.length)] ?? [root, 'document']
  const old = JSON.stringify(container[name])
  if (how === 'remove') {
    if (Array.isArray(container)) container.splice(Number(name), 1)
    else delete container[name]
    return textOf(root.document, isNdjson)
  }
  container[name] = PLACEHOLDER
  const repeated = Array.isArray(container) ? `${old},${other}` : `${old},${JSON.stringify(name)}:${other}`
  const text = textOf(root.document, isNdjson)
  return text.replace(JSON.stringify(PLACEHOLDER), () => (how === 'repeat' ? repeated : other))
}

type Container = Record<string, unknown>

/** Lists all nested values, each as its container and its name in the container. */
function valuesIn(container: Container): [Container, string][] {
  return Object.entries(container).flatMap(([name, value]): [Container, string][] => {
    const nested = typeof value === 'object' && value !== null ? valuesIn(value as Container) : []
    return [[container, name], ...nested]
  })
}

function mutateBytes(whole: Uint8Array, { how, at, bytes }: ByteMutation): Uint8Array {
  const start = Math.floor(at * whole.length)
  const [before, after] = [whole.subarray(0, start), whole.subarray(start)]
  if (how === 'cut') return before
  if (how === 'insert') return Buffer.concat([before, bytes, after])
  if (how === 'repeat') return Buffer.concat([whole, after])
  return Buffer.concat([before, bytes, after.subarray(bytes.length)])
}

// What generated requests are made of: texts, ids, and the bodies of writes, whole and spoiled.
import fc from 'fast-check'
import { ODD_ID } from './corpus.ts'
import { EVALUATIONS, nested, VARIANTS } from './writes.ts'

/** What may stand in a field: visible ASCII, as HTTP has it. */
export const fieldText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})
const anyText = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed())
export const encodedText = anyText.map((text) => encodeURIComponent(text))

/** An id in a path, of the corpus and otherwise. */
export const pathId = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('full', 'empty', 'foreign', 'shared', 'exact', encodeURIComponent(ODD_ID)),
  },
  { weight: 2, arbitrary: encodedText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('..', '%2e', '%00', '%zz', '%ff', '%ED%A0%80', '%2F', '', '*', "'", '";--'),
  },
)

/** Nearly always the first. */
export function mostly<Value>(value: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: other })
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 4 })
const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 })
const optional = { requiredKeys: [] as [] }

/** Few, so that what is written meets what was written, and none that is only read. */
const target = fc.constantFrom('w-0', 'w-1', 'w-2', 'w-3')
const name = fc.oneof(fc.constantFrom('a', 'b', 'question'), anyText)
const time = fc.constantFrom(
  '2026-01-02T03:04:05Z',
  '2026-01-02t03:04:05.12345+02:00',
  '0001-01-01T00:00:00Z',
)
const amount = maybe(fc.double({ noNaN: true, noDefaultInfinity: true }))
const json = fc.jsonValue({ maxDepth: 3 })
const object = fc.dictionary(name, json, { maxKeys: 4 })

const evaluator = fc.record({ name, threshold: amount, higher_is_better: maybe(fc.boolean()) })
const known = {
  name: maybe(anyText),
  variant_id: maybe(fc.oneof(target, fc.constant('full'))),
  baseline_id: maybe(target),
  evaluators: maybe(few(evaluator)),
  metadata: maybe(object),
}
const evaluationPatch = fc.record(known, optional)
const evaluation = fc.record({ ...known, id: target, source: maybe(anyText), created_at: time }, optional)
const error = fc.record({ message: anyText, stacktrace: maybe(anyText) })
const result = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'json', 'bool', 'number'), value: json }),
  fc.record({ type: fc.constant('error'), error }),
)
const scenario = fc.record(
  {
    id: fc.nat(30).map((number) => `s-${number}`),
    inputs: few(fc.record({ name, type: fc.constantFrom('text', 'json'), value: json })),
    outputs: few(fc.record({ result, cost: amount, latency: amount })),
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
/** Not those that are read, nor all that are written, which would soon be gone. */
const deletedId = mostly(fc.constantFrom('w-2', 'w-3'), fc.constantFrom('foreign', 'none', '%00', '%zz'))
const scenarioPath = fc.tuple(mostly(target, fc.constantFrom('full', 'foreign')), fc.nat(30))

/** An operation that writes, how often, where, and what it takes. */
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

/** One value of a document spoiled; `at`, from 0 to 1, chooses which. */
interface SpoiledValue {
  how: 'remove' | 'replace' | 'repeat'
  at: number
  /** JSON. */
  other: string
}
const spoiledValue: fc.Arbitrary<SpoiledValue> = fc.record({
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
    fc.nat(200).map(nested),
    json.map((value) => JSON.stringify(value)),
  ),
})

/** Some bytes spoiled, from `at` on. */
interface SpoiledBytes {
  how: 'flip' | 'cut' | 'insert' | 'repeat'
  at: number
  bytes: Uint8Array
}
const spoiledBytes: fc.Arbitrary<SpoiledBytes> = fc.record({
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
  /** Whether the body is one value a line. */
  isLines: boolean
}

/** A write with a body that its operation takes, or one that is like it, or nothing of the kind. */
export const generatedWrite: fc.Arbitrary<GeneratedWrite> = fc
  .record({
    operation: fc.oneof(
      ...OPERATIONS.map(([method, weight, path, document]) => ({
        weight,
        arbitrary: fc.record({ method: fc.constant(method), path, document }),
      })),
    ),
    isLines: fc.boolean(),
    value: rarely(spoiledValue),
    bytes: rarely(spoiledBytes),
    noise: mostly<Uint8Array | undefined>(fc.constant(undefined), fc.uint8Array({ maxLength: 200 })),
  })
  .map(({ operation: { method, path, document }, isLines, value, bytes, noise }) => {
    const text = value ? spoilValue(document, value, isLines) : textOf(document, isLines)
    const whole = noise ?? Buffer.from(text)
    return {
      method,
      path,
      body: bytes ? spoilBytes(whole, bytes) : whole,
      isLines: isLines && Array.isArray(document),
    }
  })

function textOf(document: unknown, isLines: boolean): string {
  if (!isLines || !Array.isArray(document)) return JSON.stringify(document) ?? ''
  return document.map((one) => `${JSON.stringify(one)}\n`).join('')
}

const MARK = '\u0000 here \u0000'

function spoilValue(document: unknown, { how, at, other }: SpoiledValue, isLines: boolean): string {
  const root: Holder = { document: structuredClone(document) }
  const places = placesIn(root)
  const [holder, name] = places[Math.floor(at * places.length)] ?? [root, 'document']
  const old = JSON.stringify(holder[name])
  if (how === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
    return textOf(root.document, isLines)
  }
  holder[name] = MARK
  const again = Array.isArray(holder) ? `${old},${other}` : `${old},${JSON.stringify(name)}:${other}`
  const text = textOf(root.document, isLines)
  return text.replace(JSON.stringify(MARK), () => (how === 'repeat' ? again : other))
}

type Holder = Record<string, unknown>

/** Every value inside, as what holds it and its name there. */
function placesIn(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([name, value]): [Holder, string][] => {
    const inside = typeof value === 'object' && value !== null ? placesIn(value as Holder) : []
    return [[holder, name], ...inside]
  })
}

function spoilBytes(whole: Uint8Array, { how, at, bytes }: SpoiledBytes): Uint8Array {
  const start = Math.floor(at * whole.length)
  const [before, behind] = [whole.subarray(0, start), whole.subarray(start)]
  if (how === 'cut') return before
  if (how === 'insert') return Buffer.concat([before, bytes, behind])
  if (how === 'repeat') return Buffer.concat([whole, behind])
  return Buffer.concat([before, bytes, behind.subarray(bytes.length)])
}

// fast-check arbitraries for the documents of write operations. Documents consist of JSON texts, so that the model can
// predict responses token for token.
import fc from 'fast-check'
import { type JsonText, JsonTexts } from '../json-texts.ts'

/** A JSON value as it is sent (`loose`), and without whitespace between tokens (`compact`). */
export class Raw {
  readonly loose: string
  readonly compact: string

  constructor({ loose, compact }: JsonText) {
    this.loose = loose
    this.compact = compact
  }

  get value(): unknown {
    return JSON.parse(this.compact)
  }
}

export const raw = (text: string) => new Raw({ loose: text, compact: text })
export const rawValue = (value: unknown) => raw(JSON.stringify(value))

export type Tree = Raw | readonly Tree[] | { readonly [name: string]: Tree | undefined }

/** The JSON text of a document. */
export function print(tree: Tree, form: keyof JsonText = 'compact'): string {
  if (tree instanceof Raw) return tree[form]
  if (Array.isArray(tree)) return `[${tree.map((element) => print(element, form)).join(',')}]`
  const members = Object.entries(tree).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `"${name}":${print(member as Tree, form)}`).join(',')}}`
}

/** Valid in NDJSON too, because there is no line end. */
const WHITESPACE = ['', '', ' ', '\t']

const token = (...texts: string[]) => fc.constantFrom(...texts).map(raw)
const generated = (generate: (texts: JsonTexts) => JsonText) =>
  fc.nat().map((seed) => new Raw(generate(new JsonTexts(seed, WHITESPACE))))

/** Few values, so that writes repeat earlier ones. Two of them are the same string in different spellings. */
const text = token('"a"', '"\\u0061"', '"ü, 💡 \\"b\\"\\n"', '"\\u0000\\ud800"', '""')
const value = fc.oneof(
  token('1.0', 'null', '"a"', 'true', 'false', '0.1', '-0.3', '0.2', '1.7e308', '5e-324'),
  generated((texts) => texts.value(3)),
)
const object = fc.oneof(
  token('{}', '{"10":1e400,"9":-0}'),
  generated((texts) => texts.object(3)),
)
const nullableText = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: token('null') })
/** Details of results can be in `extra.results`. It is the last member. */
const extra = fc.oneof(
  { weight: 1, arbitrary: token('{"results":[{"reason":"r"}]}', '{"a":1,"results":"none"}') },
  { weight: 4, arbitrary: object },
  { weight: 1, arbitrary: token('null') },
)
const nullableObject = fc.oneof({ weight: 3, arbitrary: object }, { weight: 1, arbitrary: token('null') })
const cost = token('0', '0.5', '1E2', '-0.0', '1e308', '0.1', '5e-324', 'null')
const number = token('0', '0.5', '1E2', '-0.0', '-1e308', '1e308', '0.1', '5e-324', 'null')
const time = token(
  '"2026-01-02T03:04:05Z"',
  '"2026-01-02 05:04:05.000+02:00"',
  '"2026-03-04t05:06:07.12345z"',
)
const few = <Value>(element: fc.Arbitrary<Value>) => fc.array(element, { maxLength: 2 })
/** Each member is present or not. */
const optional = { requiredKeys: [] as [] }

export const EVALUATION_IDS = ['e-0', 'é "1/2"']
export const VARIANT_IDS = ['v-0', 'v/1']
export const SCENARIO_IDS = ['s-0', 's-1', 's/2']

export const resultName = token('"q"', '"\\u0071"', '"a, b"')
const name = token('"q"', '"\\u0071"', '"a, b"', '"x"')
const failure = fc.record({ message: text, stacktrace: nullableText }, { requiredKeys: ['message'] })
export const result = fc.record(
  { type: token('"text"', '"json"'), value, error: fc.oneof(failure, token('null')) },
  { requiredKeys: ['type'] },
)
const answers = few(fc.record({ key: name, value: text }))

export interface ScenarioMembers {
  [name: string]: Tree | undefined
  id?: Raw
  inputs?: { value: Raw; name: Raw; type: Raw }[]
  outputs?: { cost?: Raw; result: ResultTree; latency?: Raw }[]
  correct_answers?: { key: Raw; value: Raw }[] | Raw
  is_pinned?: Raw
  note?: Raw
  results?: { result: ResultTree; evaluator_config: Raw }[]
  extra?: Raw
}

export interface ResultTree {
  [name: string]: Tree | undefined
  type: Raw
  value?: Raw
  error?: { message: Raw; stacktrace?: Raw } | Raw
}

/** A scenario in an upload. */
export interface ScenarioRecord {
  members: ScenarioMembers
  /** The member evaluation_id: absent, the evaluation of the upload, or another one. */
  evaluation: 'absent' | 'own' | 'other'
  /** Whether the record has an unknown member. */
  isInvalid: boolean
}

const rarely = fc.nat(11).map((number) => number === 0)
const scenarioId = token('"s-0"', '"s\\u002d0"', '"s-1"', '"s-1"', '"s/2"', 'null')

// The members are not in the order of responses.
const scenarioMembers: fc.Arbitrary<ScenarioMembers> = fc.record(
  {
    extra,
    results: few(fc.record({ result, evaluator_config: name })),
    note: nullableText,
    is_pinned: token('true', 'false', 'null'),
    correct_answers: fc.oneof(answers, token('null')),
    outputs: few(fc.record({ cost, result, latency: number }, { requiredKeys: ['result'] })),
    inputs: few(fc.record({ value, name, type: token('"text"') })),
    id: scenarioId,
  },
  optional,
) as fc.Arbitrary<ScenarioMembers>

export const scenarioRecord: fc.Arbitrary<ScenarioRecord> = fc.record({
  // Plain records repeat earlier ones more often.
  members: fc.oneof(
    scenarioMembers,
    scenarioId.map((id): ScenarioMembers => ({ id })),
  ),
  evaluation: fc.nat(11).map((number) => (number === 0 ? 'other' : number < 3 ? 'own' : 'absent')),
  isInvalid: rarely,
})

export function recordText({ members, evaluation, isInvalid }: ScenarioRecord, evaluationId: string): string {
  const evaluation_id = rawValue(evaluation === 'own' ? evaluationId : 'another evaluation')
  const document: Tree = {
    ...members,
    ...(evaluation !== 'absent' && { evaluation_id }),
    ...(isInvalid && { unknown: raw('1') }),
  }
  return print(document, 'loose')
}

export type Members = { [name: string]: Raw | undefined }

/** A document that the service must reject: with an unknown member (422), or without its last brace (400). */
export type Fault = 'none' | 'member' | 'syntax'
export const fault: fc.Arbitrary<Fault> = fc
  .nat(19)
  .map((number) => (number === 0 ? 'syntax' : number === 1 ? 'member' : 'none'))

export interface Document {
  members: Members
  fault: Fault
}

const id = (ids: string[]) => fc.constantFrom(...ids).map(rawValue)
const nullableId = (ids: string[]) => fc.oneof(id(ids), token('null'))
const document = (members: fc.Arbitrary<object>) =>
  fc.record({ members, fault }) as unknown as fc.Arbitrary<Document>

const patchableMembers = {
  tags: token('[]', '["nightly"]', '["\\u006eightly"]', '["ü, 💡 \\"b\\"","nightly"]', 'null'),
  expected_count: token('0', '100', '1E2', 'null'),
  status: token('"running"', '"finished"', '"\\u0066ailed"', 'null'),
  metadata: nullableObject,
  evaluators: token(
    '[ ]',
    '[{"name":"e"}]',
    '[{"threshold":1.0,"name":"e"}]',
    '[{"name":"q","kind":"human"}]',
    '[{"name":"q","threshold":0.2},{"name":"a, b","threshold":0}]',
    '[{"name":"q","threshold":0.1},{"name":"a, b","threshold":0.15},{"name":"x","threshold":0}]',
    '[{"name":"q","threshold":-1},{"name":"a, b","threshold":1,"higher_is_better":false}]',
    '[{"name":"q","threshold":0.2,"higher_is_better":false},{"name":"x","threshold":1e308}]',
    '[{"name":"q","kind":"human"},{"name":"x","kind":"human"},{"name":"q","kind":"code"}]',
    'null',
  ).map(({ compact }) => new Raw({ loose: compact, compact: compact.replace('[ ]', '[]') })),
  baseline_id: nullableId(EVALUATION_IDS),
  revision: token('0', '1', '2', 'null'),
  variant_id: nullableId(VARIANT_IDS),
  name: nullableText,
}

/** Most documents have few members, because a reference that does not exist rejects the whole document. */
const someMembers = (members: Record<string, fc.Arbitrary<Raw>>) =>
  fc
    .subarray(Object.keys(members), { maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, members[name] as fc.Arbitrary<Raw>]))),
    )

export const evaluationDocument = document(
  fc
    .tuple(
      someMembers({ created_at: fc.oneof(time, token('null')), source: nullableText, ...patchableMembers }),
      fc.record({ id: nullableId([...EVALUATION_IDS, ...EVALUATION_IDS]) }, optional),
    )
    .map((parts) => Object.assign({}, ...parts)),
)
export const evaluationPatch = document(someMembers(patchableMembers))
export const scenarioPatch = document(
  fc.record({ note: nullableText, is_pinned: token('true', 'false', 'null') }, optional),
)
export const variantDocument = document(
  fc.record({ name: nullableText, id: nullableId([...VARIANT_IDS, ...VARIANT_IDS]) }, optional),
)
export const variantPatch = document(fc.record({ name: nullableText }, optional))

const config = fc.oneof(
  token('{"config_name":"c"}', '{"parameters":{"t":1.0},"config_name":"c"}'),
  object.map(
    ({ loose, compact }) =>
      new Raw({
        loose: `{ "parameters" :${loose},"config_name":"c"}`,
        compact: `{"parameters":${compact},"config_name":"c"}`,
      }),
  ),
)
const revisionMembers = fc.record(
  {
    message: nullableText,
    created_at: time,
    config,
    modified_by: token('"Ana"', '"\\u0041na"', '"Bo"'),
    revision: token('0', '1', '2', '5'),
  },
  { requiredKeys: ['config', 'modified_by'] },
)
export const revisionDocument = document(revisionMembers)
/** A revision in an imported file. */
export interface RevisionRecord {
  members: Members
  isInvalid: boolean
}
export const revisionRecord = fc.record({
  members: revisionMembers,
  isInvalid: rarely,
}) as unknown as fc.Arbitrary<RevisionRecord>

export function documentText({ members, fault }: Document): string {
  const text = print(fault === 'member' ? { ...members, unknown: raw('1') } : members, 'loose')
  return fault === 'syntax' ? text.slice(0, -1) : text
}

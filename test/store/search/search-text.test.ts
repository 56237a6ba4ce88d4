// Tests that a search finds exactly the rows of a simple reference: the texts of parsed bodies, joined and in lower case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addLargeEvaluation } from '../../../bench/data.ts'
import { splitMembers } from '../../../src/json/member-texts.ts'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { checkStore } from '../../../src/store/check.ts'
import { createEvaluation } from '../../../src/store/evaluations/evaluations.ts'
import { buildCondition } from '../../../src/store/query/filters.ts'
import { appendScenarios } from '../../../src/store/scenarios/append.ts'
import { patchScenario } from '../../../src/store/scenarios/corrections.ts'
import { scenarioRow } from '../../../src/store/scenarios/row.ts'
import { createBodyMatcher, normalizeSearch } from '../../../src/store/search/search-text.ts'
import type { Store } from '../../../src/store/store.ts'
import { sizes } from '../../sizes.ts'
import { createTestStore } from '../../support/harness.ts'
import { POSTGRES_ONLY } from '../../support/options.ts'

const SHORT_ESCAPES: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Characters that are escaped in JSON, that JSON consists of, and whose case mapping is unusual. */
const CHARACTERS = [
  ...'aAbBnNuUeEtTkKiIsS019.-+:,{}[] ',
  ...Object.keys(SHORT_ESCAPES),
  '\0',
  '\x1f',
  'K',
  'İ',
  'ı',
  '\u0307',
  'ß',
  'ẞ',
  'Σ',
  'σ',
  'ς',
  'Ä',
  'ä',
  'Ǆ',
  '中',
  '😀',
  '𐐀',
  '\ud800',
  '\udc00',
  '\ufffd',
  '\u2028',
]

/** A character of a JSON string, in one of its notations. */
const characterText = fc
  .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom('plain', 'plain', 'short', 'unicode'))
  .map(([character, notation]) => {
    const mustEscape = /[\p{Cc}\p{Cs}"\\]/u.test(character)
    const short = SHORT_ESCAPES[character]
    if (short !== undefined && notation !== 'unicode' && (mustEscape || notation === 'short')) return short
    if (!mustEscape && notation !== 'unicode') return character
    return Array.from({ length: character.length }, (_, index) => toEscape(character.charCodeAt(index))).join(
      '',
    )
  })

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

const stringText = fc.array(characterText, { maxLength: 8 }).map((texts) => `"${texts.join('')}"`)
const scalarText = fc.oneof(
  stringText,
  fc.constantFrom(
    '1',
    '1.0',
    '1e2',
    '-0',
    '1e999',
    '12345678901234567890',
    '0.10',
    '1E-7',
    'true',
    'false',
    'null',
  ),
)
const objectText = fc
  .uniqueArray(fc.tuple(stringText, scalarText), {
    maxLength: 3,
    selector: ([name]) => JSON.parse(name) as string,
  })
  .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`)
const valueText = fc.oneof(
  { weight: 3, arbitrary: stringText },
  scalarText,
  objectText,
  fc.array(fc.oneof(scalarText, objectText), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`),
)

/** Stored bodies with texts in names, types and results, which are not searched. */
const bodyText = fc
  .record({
    names: fc.tuple(stringText, stringText),
    inputs: fc.array(valueText, { maxLength: 2 }),
    outputs: fc.array(fc.tuple(valueText, fc.option(stringText)), { maxLength: 2 }),
    answers: fc.option(fc.array(stringText, { maxLength: 2 })),
    note: fc.option(stringText),
    result: valueText,
  })
  .map(({ names: [name, type], inputs, outputs, answers, note, result }) => {
    const inputTexts = inputs.map((value) => `{"name":${name},"type":${type},"value":${value}}`)
    const outputTexts = outputs.map(
      ([value, message]) =>
        `{"result":{"type":${type},"value":${value},"error":${message === null ? 'null' : `{"message":${message}}`}}}`,
    )
    const answerTexts = answers?.map((value) => `{"key":${name},"value":${value}}`)
    return `{"id":"a","evaluation_id":"e","inputs":[${inputTexts}],"outputs":[${outputTexts}],"correct_answers":${answerTexts ? `[${answerTexts}]` : null},"is_pinned":null,"note":${note},"results":[{"evaluator_config":${name},"result":{"type":"text","value":${result}}}]}`
  })

interface Body {
  inputs: { value: unknown }[]
  outputs: { result: { value: unknown; error: { message: string } | null } }[]
  correct_answers: { value: unknown }[] | null
  note: string | null
}

/** The reviver keeps JSON.parse away from a cache of names that has an error in Node 26: see src/json/parse.ts. */
function expectedText(body: string): string {
  const { inputs, outputs, correct_answers, note } = JSON.parse(body, (_, value) => value) as Body
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ].filter((value) => value !== null && value !== undefined)
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')
  return toExpected(text)
}

function toExpected(text: string): string {
  return text.toLowerCase().toWellFormed().replaceAll('\0', '\ufffd')
}

/** Texts that are often found: a part of the search text or of the body, with another case. */
const searchCase = fc
  .tuple(bodyText, fc.boolean(), fc.nat(), fc.nat({ max: 6 }), fc.constantFrom('upper', 'lower', 'same'))
  .map(([body, isFromBody, start, length, letterCase]) => {
    const source = isFromBody ? body : expectedText(body)
    const part = source.slice(start % (source.length + 1)).slice(0, length)
    const text =
      letterCase === 'upper' ? part.toUpperCase() : letterCase === 'lower' ? part.toLowerCase() : part
    return { body, text }
  })

test('a stored body matches a text if its search text contains it', () => {
  let foundCount = 0
  fc.assert(
    fc.property(searchCase, ({ body, text }) => {
      const isFound = expectedText(body).includes(toExpected(text))
      foundCount += Number(isFound)
      assert.equal(createBodyMatcher(normalizeSearch(text))(body), isFound)
    }),
    { numRuns: sizes.json_values * 4 },
  )
  assert.ok(foundCount > sizes.json_values, 'most texts should be found')
})

test('a letter is found in both cases, for every letter', () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const letter = String.fromCodePoint(codePoint)
    if (letter.toLowerCase() === letter) continue
    const input = JSON.stringify([{ name: 'q', type: 'text', value: `x${letter}y` }])
    const body = `{"id":"a","evaluation_id":"e","inputs":${input},"outputs":[],"results":[]}`
    for (const text of [letter, letter.toLowerCase(), `X${letter}`, `${letter.toLowerCase()}Y`])
      assert.equal(
        createBodyMatcher(normalizeSearch(text))(body),
        `x${letter}y`.toLowerCase().includes(text.toLowerCase()),
        `${codePoint.toString(16)} ${text}`,
      )
  }
})

async function search(store: Store, key: number, text: string): Promise<number[]> {
  const ordinals = { input: new Map(), expected: new Map(), score: new Map() }
  const context = { evaluation: key, ordinals, sql: store.reader.sql, declared: new Map() }
  const condition = buildCondition({ field: 'q', name: '', operator: 'contains', value: text }, context)
  const positions = await store.reader.snapshot('query', (snapshot) =>
    snapshot.readNumbers(
      `SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${condition.sql} ORDER BY row.position`,
      key,
      ...condition.values,
    ),
  )
  return [...positions]
}

test('a search finds the rows of the reference, also after a note has changed', async () => {
  const store = await createTestStore()
  const bodies = fc.sample(bodyText, { numRuns: 100, seed: 1 })
  const key = await store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id: 'e' }))
    const rows = bodies.map((body, index) => {
      const memberTexts = splitMembers(body).set('id', JSON.stringify(`${index}`))
      const value = JSON.parse(body, (_, value) => value)
      return scenarioRow('e', { value: { ...value, id: `${index}` }, memberTexts })
    })
    await appendScenarios(transaction, key, [rows])
    return key
  })
  const texts = [
    ...fc.sample(searchCase, { numRuns: sizes.generated_evaluations, seed: 2 }).map(({ text }) => text),
    ...CHARACTERS,
  ]
  const expectedTexts = bodies.map(expectedText)
  const checkSearches = async () => {
    for (const text of texts) {
      const expected = expectedTexts.flatMap((expected, index) =>
        expected.includes(toExpected(text)) ? [index] : [],
      )
      assert.deepEqual(await search(store, key, text), expected, JSON.stringify(text))
    }
  }
  await checkSearches()
  for (const [index, note] of ['"K\\u212aσ"', '"\\ud800"', 'null'].entries()) {
    const body = (bodies[index] as string).replace(/"note":.*?,"results"/, () => `"note":${note},"results"`)
    expectedTexts[index] = expectedText(body)
    await store.writer.transaction(async (transaction) => {
      const scenario = await transaction.get<{ id: string; position: number; body: string; extra: null }>(
        'SELECT id, position, body, extra FROM scenario WHERE evaluation = ? AND id = ?',
        key,
        String(index),
      )
      assert.ok(scenario)
      const value = { note: JSON.parse(note) as string | null }
      const patch = { value, memberTexts: new Map([['note', note]]) }
      await patchScenario(transaction, { key, id: 'e' }, scenario, patch)
    })
  }
  await checkSearches()
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
})

test('assay check finds a changed and a missing search text', { skip: POSTGRES_ONLY }, async () => {
  const store = await createTestStore()
  await addLargeEvaluation(store, 3)
  await store.writer.transaction(async (transaction) => {
    await transaction.run(`UPDATE search SET text = 'x' WHERE position = 0`)
    await transaction.run('DELETE FROM search WHERE position = 2')
  })
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(
    faults.map(({ where, what }) => `${where}: ${what.split(':')[0]}`),
    [
      'evaluation eval-3, scenario scenario-0: search text',
      'evaluation eval-3, scenario scenario-2: search text',
      'evaluation eval-3: number of rows in search',
    ],
  )
})

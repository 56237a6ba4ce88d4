// Tests splitting and joining the texts of results and of their details in the extra data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinResults, splitResults } from '../../../src/store/scenarios/result-texts.ts'

const details = fc.constantFrom(
  null,
  '{"reason":"a, \\"b\\" ]"}',
  '{"by":"\\u0041na"}',
  '"text"',
  '1.0',
  'null',
)
const result = fc
  .tuple(fc.constantFrom('one', 'tw\\u006f', 'ü "3"'), fc.jsonValue(), details, fc.boolean())
  .map(([name, value, details, isConfigFirst]) => {
    const config = `"evaluator_config":"${name.replaceAll('"', '\\"')}"`
    const valueText = `"result":{"type":"json","value":${JSON.stringify(value)}}`
    const text = isConfigFirst ? `{${config},${valueText}}` : `{${valueText},${config}}`
    return { evaluator: name.replace('\\u006f', 'o'), text, details }
  })
const others = fc.dictionary(
  fc.string().filter((name) => name !== 'results' && name !== '__proto__'),
  fc.jsonValue(),
)

test('joined results are split into the same texts, and other extra data does not change', () => {
  fc.assert(
    fc.property(fc.array(result), fc.option(others), (results, extra) => {
      const text = extra === null ? null : JSON.stringify(extra)
      const joined = joinResults(results, text)
      assert.equal(joined.results, `[${results.map((result) => result.text).join()}]`)
      assert.deepEqual(splitResults(joined.results, joined.extra), results)
      if (results.every((result) => result.details === null)) assert.equal(joined.extra, text)
      const { results: _, ...otherMembers } = JSON.parse(joined.extra ?? '{}')
      assert.deepEqual(otherMembers, JSON.parse(text ?? '{}'))
      assert.deepEqual(joinResults(results, joined.extra), joined)
    }),
  )
})

test('replaces the list of details in place, and removes it when no result has details', () => {
  const [one, two] = ['one', 'two'].map((evaluator) => ({ evaluator, text: '{}', details: null }))
  assert.ok(one && two)
  const extra = '{"a":1.0,"r\\u0065sults":[{"reason":"x"}],"b":[]}'
  assert.equal(
    joinResults([one, { ...two, details: '{"by":"A"}' }], extra).extra,
    '{"a":1.0,"r\\u0065sults":[{},{"by":"A"}],"b":[]}',
  )
  assert.equal(joinResults([one, two], extra).extra, '{"a":1.0,"b":[]}')
  assert.equal(joinResults([one], '{"results":[{"reason":"x"}]}').extra, null)
  assert.equal(joinResults([one], '{}').extra, '{}')
})

test('returns undefined if the extra data has something else in place of the details', () => {
  const results = '[{"evaluator_config":"one","result":{"type":"x"}}]'
  for (const text of ['{}', '"x"', '1', 'true', '[{},{}]'])
    assert.equal(splitResults(results, `{"results":${text}}`), undefined)
  for (const text of ['null', '[]', '[{}]'])
    assert.equal(splitResults(results, `{"results":${text}}`)?.[0]?.details, null)
  assert.deepEqual(splitResults('[]', null), [])
})

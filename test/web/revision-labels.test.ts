// Paths, labels and numbers of parameters and revisions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareObjects } from '../../src/json/changes.ts'
import { parseExactly } from '../../src/json/exact-values.ts'
import { JsonNode } from '../../src/json/json-node.ts'
import type { Revision } from '../../web/src/queries/variants.ts'
import { changeLabelsOf, plainText } from '../../web/src/revisions/change-labels.ts'
import { isWithin, parametersOf, valueAt } from '../../web/src/revisions/parameters/parameter-paths.ts'
import { numberChange, valueLabel } from '../../web/src/revisions/parameters/value-labels.ts'
import { revisionNumberOf } from '../../web/src/revisions/revision-number.ts'
import { revisionOf } from './revision-builders.ts'

describe('parameters', () => {
  test('have the same paths as in the API, and are found by them', async () => {
    const member = fc.oneof(
      fc.constantFrom('a', 'b-c', 'x.y', '0', '', '__proto__', 'constructor'),
      // No names with JSON escapes: the JSON parser of this Node (V8 14.6) can confuse them with other names. src/json/parse.ts
      // works around it; browsers do not need that.
      fc.string().filter((name) => !JSON.stringify(name).includes('\\')),
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('json')),
        fc.dictionary(member, tie('json')),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(member, json), async (parameters) => {
        const text = JSON.stringify(parameters)
        const { changes } = await compareObjects(JsonNode.of('{}'), JsonNode.of(text), 10_000)
        const parsed = parseExactly(text)
        const paths = parametersOf(parsed).map(({ path }) => path)
        assert.deepEqual(paths.toSorted(), changes.map(({ path }) => path).toSorted())
        for (const { path, new: newText } of changes)
          assert.equal(JSON.stringify(valueAt(parsed, path)), newText)
      }),
      { numRuns: 50 },
    )
  })

  test('have no value for missing paths, including inherited names', () => {
    assert.equal(valueAt({ a: [1] }, 'a[1]'), undefined)
    assert.equal(valueAt({}, 'constructor'), undefined)
    assert.ok(isWithin('stop[0]', 'stop') && isWithin('stop', 'stop') && !isWithin('stops', 'stop'))
  })

  test('are labeled without quotes unless the text looks like another value', () => {
    assert.deepEqual(['gpt-x', '0.2', 'true', '', ' a', '[x'].map(valueLabel), [
      'gpt-x',
      '"0.2"',
      '"true"',
      '""',
      '" a"',
      '"[x"',
    ])
    assert.equal(valueLabel(parseExactly('[9007199254740993,1.10]')), '[9007199254740993,1.10]')
  })

  test('have a rounded difference if they are numbers with exact differences', () => {
    assert.equal(numberChange(0.2, 0.3), '+0.1')
    assert.equal(numberChange(1200, 220), '−980')
    assert.equal(numberChange('1', 2), undefined)
    const [old, newText] = parseExactly('[9007199254740993,9007199254740995]') as [unknown, unknown]
    assert.equal(numberChange(old, newText), undefined)
  })
})

describe('change labels', () => {
  const change = (path: string, kind: 'added' | 'removed' | 'changed' | 'moved', rest = {}) => ({
    path,
    kind,
    old_path: null,
    lines: null,
    ...rest,
  })
  const labelsOf = (
    parameters: [old: object, now: object],
    changes: object[],
    names: object | null = null,
  ) => {
    const oldRevision = revisionOf(1, [], { config: { config_name: 'x', parameters: { ...parameters[0] } } })
    const newRevision = revisionOf(2, [], {
      config: { config_name: 'y', parameters: { ...parameters[1] } },
      changes: { against: 1, config_name: names, parameter_count: 9, change_count: changes.length, changes },
    } as Partial<Revision>)
    return changeLabelsOf(newRevision, oldRevision).labels.map(plainText)
  }

  test('contain short values, line counts and old paths', () => {
    assert.deepEqual(
      labelsOf(
        [
          { model: 'gpt-w', gone: null, prompt: 'a\nb', tools: ['a'] },
          { model: 'gpt-x', seed: 7, prompt: 'a\nc', tools: ['a'] },
        ],
        [
          change('model', 'changed'),
          change('seed', 'added'),
          change('gone', 'removed'),
          change('prompt', 'changed', { lines: { added: 2, removed: 28 } }),
          change('tools[1]', 'moved', { old_path: 'tools[0]' }),
        ],
      ),
      [
        'model gpt-w to gpt-x',
        'seed added 7',
        'gone removed, was null',
        'prompt +2 −28 lines',
        'tools[1] moved from tools[0]',
      ],
    )
  })

  test('do not show wrong digits of large numbers', () => {
    const large = JSON.parse('{"seed":9007199254740993}')
    const seed = [change('seed', 'changed')]
    assert.deepEqual(labelsOf([large, JSON.parse('{"seed":9007199254740992}')], seed), ['seed changed'])
    assert.deepEqual(labelsOf([{ seed: 2 }, large], seed), ['seed 2 to ≈ 9.007e+15'])
  })

  test('name unchanged, renamed and first revisions', () => {
    const names = { old: 'a', new: 'b' }
    assert.deepEqual(labelsOf([{}, {}], []), ['no parameter changed'])
    assert.deepEqual(labelsOf([{}, {}], [], names), ['no parameter changed', 'renamed a to b'])
    assert.deepEqual(labelsOf([{}, { a: 1 }], [change('a', 'added')], names), ['a added 1', 'renamed a to b'])
    const firstRevision = revisionOf(1, [], {
      changes: null,
      config: { config_name: 'x', parameters: { a: [1, {}] } },
    })
    assert.deepEqual(changeLabelsOf(firstRevision, undefined).labels, [{ text: 'created with 2 parameters' }])
  })
})

test('a revision number is an integer that the API accepts', () => {
  assert.deepEqual(['0', '42', 'x', '-1', '1.5', '1e3', '', '99999999999'].map(revisionNumberOf), [
    0,
    42,
    ...new Array(6).fill(undefined),
  ])
})

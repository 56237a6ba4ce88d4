// A scenario as a line of a table: the columns `assay import` reads. Several outputs, and several values
// under one name, become the first of them; the JSON representations have them all.
import { elementTexts, memberTexts } from '../json/slices.ts'
import { storable } from '../json/storable.ts'
import { cellOf } from './csv.ts'
import type { Table } from './representation.ts'

type Members = Map<string, string>

export function scenarioTable(columns: { input: string[]; expected: string[]; score: string[] }): Table {
  return {
    header: [
      'id',
      ...columns.input.map((name) => `input.${name}`),
      'output',
      ...columns.expected.map((key) => `expected.${key}`),
      ...columns.score.map((evaluator) => `score.${evaluator}`),
      'cost',
      'latency',
      'error',
      'is_pinned',
      'note',
    ],
    cells(element) {
      const scenario = memberTexts(element)
      const inputs = byName(scenario.get('inputs'), 'name')
      const answers = byName(scenario.get('correct_answers'), 'key')
      const results = byName(scenario.get('results'), 'evaluator_config')
      const output = members(elementTexts(scenario.get('outputs') ?? '[]')[0])
      const outcome = members(output.get('result'))
      return [
        cellOf(scenario.get('id')),
        ...columns.input.map((name) => cellOf(inputs.get(name)?.get('value'))),
        cellOf(outcome.get('value')),
        ...columns.expected.map((key) => cellOf(answers.get(key)?.get('value'))),
        ...columns.score.map((evaluator) =>
          cellOf(members(results.get(evaluator)?.get('result')).get('value')),
        ),
        cellOf(output.get('cost')),
        cellOf(output.get('latency')),
        cellOf(members(outcome.get('error')).get('message')),
        cellOf(scenario.get('is_pinned')),
        cellOf(scenario.get('note')),
      ]
    },
  }
}

function members(object: string | undefined): Members {
  return object === undefined || object === 'null' ? new Map() : memberTexts(object)
}

/** The objects of an array under the string each has as `name`; the first of several with the same one. */
function byName(array: string | undefined, name: string): Map<string, Members> {
  const named = new Map<string, Members>()
  if (array === undefined || array === 'null') return named
  for (const element of elementTexts(array)) {
    const object = memberTexts(element)
    const key = storable(cellOf(object.get(name)))
    if (!named.has(key)) named.set(key, object)
  }
  return named
}

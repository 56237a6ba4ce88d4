// Writes scenarios as CSV, with the columns that `assay import` reads. Of several outputs, or several values with one
// name, only the first is written. JSON contains all.
import { elementTexts, memberTexts } from '../json/member-texts.ts'
import { toStorableText } from '../json/storable-text.ts'
import { jsonToCell } from './csv.ts'
import type { CsvTable } from './format.ts'

type Members = Map<string, string>

export function scenarioTable(columns: { input: string[]; expected: string[]; score: string[] }): CsvTable {
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
      const inputs = indexBy(scenario.get('inputs'), 'name')
      const answers = indexBy(scenario.get('correct_answers'), 'key')
      const results = indexBy(scenario.get('results'), 'evaluator_config')
      const output = members(elementTexts(scenario.get('outputs') ?? '[]')[0])
      const outcome = members(output.get('result'))
      return [
        jsonToCell(scenario.get('id')),
        ...columns.input.map((name) => jsonToCell(inputs.get(name)?.get('value'))),
        jsonToCell(outcome.get('value')),
        ...columns.expected.map((key) => jsonToCell(answers.get(key)?.get('value'))),
        ...columns.score.map((evaluator) =>
          jsonToCell(members(results.get(evaluator)?.get('result')).get('value')),
        ),
        jsonToCell(output.get('cost')),
        jsonToCell(output.get('latency')),
        jsonToCell(members(outcome.get('error')).get('message')),
        jsonToCell(scenario.get('is_pinned')),
        jsonToCell(scenario.get('note')),
      ]
    },
  }
}

function members(object: string | undefined): Members {
  return object === undefined || object === 'null' ? new Map() : memberTexts(object)
}

/** The objects of an array by the value of a member. The first of several with the same value wins. */
function indexBy(array: string | undefined, name: string): Map<string, Members> {
  const named = new Map<string, Members>()
  if (array === undefined || array === 'null') return named
  for (const element of elementTexts(array)) {
    const object = memberTexts(element)
    const key = toStorableText(jsonToCell(object.get(name)))
    if (!named.has(key)) named.set(key, object)
  }
  return named
}

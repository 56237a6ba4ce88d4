// Writes scenarios as CSV, with the columns that `assay import` reads. Of several outputs, or several values with one
// name, only the first is written. JSON contains all.
import { splitElements, splitMembers } from '../json/member-texts.ts'
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
      const scenario = splitMembers(element)
      const inputs = indexBy(scenario.get('inputs'), 'name')
      const answers = indexBy(scenario.get('correct_answers'), 'key')
      const results = indexBy(scenario.get('results'), 'evaluator_config')
      const output = readMembers(splitElements(scenario.get('outputs') ?? '[]')[0])
      const outputResult = readMembers(output.get('result'))
      return [
        jsonToCell(scenario.get('id')),
        ...columns.input.map((name) => jsonToCell(inputs.get(name)?.get('value'))),
        jsonToCell(outputResult.get('value')),
        ...columns.expected.map((key) => jsonToCell(answers.get(key)?.get('value'))),
        ...columns.score.map((evaluator) =>
          jsonToCell(readMembers(results.get(evaluator)?.get('result')).get('value')),
        ),
        jsonToCell(output.get('cost')),
        jsonToCell(output.get('latency')),
        jsonToCell(readMembers(outputResult.get('error')).get('message')),
        jsonToCell(scenario.get('is_pinned')),
        jsonToCell(scenario.get('note')),
      ]
    },
  }
}

function readMembers(object: string | undefined): Members {
  return object === undefined || object === 'null' ? new Map() : splitMembers(object)
}

/** The objects of an array by the value of a member. Of several with the same value, the first is used. */
function indexBy(array: string | undefined, name: string): Map<string, Members> {
  const objectsByKey = new Map<string, Members>()
  if (array === undefined || array === 'null') return objectsByKey
  for (const element of splitElements(array)) {
    const object = splitMembers(element)
    const key = toStorableText(jsonToCell(object.get(name)))
    if (!objectsByKey.has(key)) objectsByKey.set(key, object)
  }
  return objectsByKey
}

// Writes leaderboards as CSV: a line for each evaluation, or a line for each row with its state and score in each evaluation.
import { splitElements } from '../json/member-texts.ts'
import { jsonToCell } from './csv.ts'
import { type CsvTable, type DocumentTable, pathTable, textAt } from './format.ts'

const EVALUATION_TABLE = pathTable({
  id: 'id',
  name: 'name',
  variant_id: 'variant_id',
  revision: 'revision',
  label: 'label',
  provider: 'provider',
  created_at: 'created_at',
  'rank.best': 'rank.0',
  'rank.worst': 'rank.1',
  mean: 'mean',
  'interval.low': 'interval.0',
  'interval.high': 'interval.1',
  'change.delta': 'change.delta',
  'change.low': 'change.interval.0',
  'change.high': 'change.interval.1',
  'change.outcome': 'change.outcome',
  'change.detectable': 'change.detectable',
  'cost.mean': 'cost.mean',
  'cost.on_frontier': 'cost.on_frontier',
  'latency.p50': 'latency.p50',
  'latency.p95': 'latency.p95',
  'latency.on_frontier': 'latency.on_frontier',
  row_count: 'row_count',
})

/** `leaderboard` is the JSON text of a response. */
export function leaderboardTable(leaderboard: string): DocumentTable {
  return { table: EVALUATION_TABLE, elements: elementsAt(leaderboard, 'evaluations') }
}

/** `response` is a JSON text. The columns of inputs are those of its rows. */
export function leaderboardRowTable(response: string): DocumentTable {
  const elements = elementsAt(response, 'rows')
  const evaluations = elementsAt(response, 'evaluations').map(jsonToCell)
  const inputs = [...new Set(elements.flatMap((element) => [...readInputs(element).keys()]))]
  const table: CsvTable = {
    header: [
      'id',
      ...inputs.map((name) => `input.${name}`),
      'spread',
      ...evaluations.flatMap((id) => [`state.${id}`, `score.${id}`]),
    ],
    cells(element) {
      const values = readInputs(element)
      return [
        jsonToCell(textAt(element, 'row.id')),
        ...inputs.map((name) => jsonToCell(values.get(name))),
        jsonToCell(textAt(element, 'spread')),
        ...elementsAt(element, 'cells').flatMap((cell) => [
          jsonToCell(textAt(cell, 'state')),
          jsonToCell(textAt(cell, 'score')),
        ]),
      ]
    },
  }
  return { table, elements }
}

/** The first value of each input by its name. */
function readInputs(row: string): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>()
  for (const input of elementsAt(row, 'row.inputs')) {
    const name = jsonToCell(textAt(input, 'name'))
    if (!values.has(name)) values.set(name, textAt(input, 'value'))
  }
  return values
}

function elementsAt(json: string, path: string): string[] {
  const array = textAt(json, path)
  return array?.startsWith('[') ? splitElements(array) : []
}

// Writes leaderboards as CSV: a line for each evaluation, or a line for each row with its state and score in each evaluation.
import { splitElements, splitMembers } from '../json/member-texts.ts'
import { jsonToCell } from './csv.ts'
import type { CsvTable, DocumentTable } from './format.ts'

type Members = Map<string, string>

const EVALUATION_TABLE: CsvTable = {
  header: [
    'id',
    'name',
    'variant_id',
    'revision',
    'label',
    'provider',
    'created_at',
    'rank.best',
    'rank.worst',
    'mean',
    'interval.low',
    'interval.high',
    'change.delta',
    'change.low',
    'change.high',
    'change.outcome',
    'change.detectable',
    'cost.mean',
    'cost.on_frontier',
    'latency.p50',
    'latency.p95',
    'latency.on_frontier',
    'row_count',
  ],
  cells(element) {
    const evaluation = splitMembers(element)
    const change = readMembers(evaluation.get('change'))
    const cost = readMembers(evaluation.get('cost'))
    const latency = readMembers(evaluation.get('latency'))
    return [
      ...['id', 'name', 'variant_id', 'revision', 'label', 'provider', 'created_at'].map((name) =>
        jsonToCell(evaluation.get(name)),
      ),
      ...pairOfCells(evaluation.get('rank')),
      jsonToCell(evaluation.get('mean')),
      ...pairOfCells(evaluation.get('interval')),
      jsonToCell(change.get('delta')),
      ...pairOfCells(change.get('interval')),
      jsonToCell(change.get('outcome')),
      jsonToCell(change.get('detectable')),
      jsonToCell(cost.get('mean')),
      jsonToCell(cost.get('on_frontier')),
      jsonToCell(latency.get('p50')),
      jsonToCell(latency.get('p95')),
      jsonToCell(latency.get('on_frontier')),
      jsonToCell(evaluation.get('row_count')),
    ]
  },
}

/** `leaderboard` is the JSON text of a response. */
export function leaderboardTable(leaderboard: string): DocumentTable {
  const elements = readElements(splitMembers(leaderboard).get('evaluations'))
  return { table: EVALUATION_TABLE, elements }
}

/** `response` is a JSON text. The columns of inputs are those of its rows. */
export function leaderboardRowTable(response: string): DocumentTable {
  const document = splitMembers(response)
  const elements = readElements(document.get('rows'))
  const evaluations = readElements(document.get('evaluations')).map(jsonToCell)
  const inputs = [...new Set(elements.flatMap((element) => [...readInputs(splitMembers(element)).keys()]))]
  const table: CsvTable = {
    header: [
      'id',
      ...inputs.map((name) => `input.${name}`),
      'spread',
      ...evaluations.flatMap((id) => [`state.${id}`, `score.${id}`]),
    ],
    cells(element) {
      const row = splitMembers(element)
      const values = readInputs(row)
      return [
        jsonToCell(readMembers(row.get('row')).get('id')),
        ...inputs.map((name) => jsonToCell(values.get(name))),
        jsonToCell(row.get('spread')),
        ...readElements(row.get('cells')).flatMap((text) => {
          const cell = splitMembers(text)
          return [jsonToCell(cell.get('state')), jsonToCell(cell.get('score'))]
        }),
      ]
    },
  }
  return { table, elements }
}

/** The first value of each input by its name. */
function readInputs(row: Members): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>()
  for (const text of readElements(readMembers(row.get('row')).get('inputs'))) {
    const input = splitMembers(text)
    const name = jsonToCell(input.get('name'))
    if (!values.has(name)) values.set(name, input.get('value'))
  }
  return values
}

function pairOfCells(range: string | undefined): string[] {
  const [low, high] = readElements(range)
  return [jsonToCell(low), jsonToCell(high)]
}

function readElements(array: string | undefined): string[] {
  return array === undefined || array === 'null' ? [] : splitElements(array)
}

function readMembers(object: string | undefined): Members {
  return object === undefined || object === 'null' ? new Map() : splitMembers(object)
}

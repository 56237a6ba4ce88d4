// Reads what the first row of each group has: its id, and the value of the group as exact JSON text.
import { splitElements, splitMembers, unescapeString } from '../../json/member-texts.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { GroupKey } from '../../schema/analysis/breakdown-query.ts'
import type { Connection } from '../dialect/dialect.ts'
import { readBodies } from '../reads/bodies.ts'
import { readRowsAt } from '../reads/in-list.ts'
import type { ListedGroup } from './listed-groups.ts'

/** Longer values are cut. */
const MAX_VALUE_CHARACTERS = 1000

/** The members `value` and `is_cut` of groups, as formatValue returns them, by the position of the first row. */
export async function readGroupValues(
  connection: Connection,
  evaluation: number,
  { field, name }: GroupKey,
  groups: ListedGroup[],
): Promise<Map<number, string>> {
  const positions = groups.filter(({ kind }) => kind === 'value').map(({ first }) => first)
  const values = new Map<number, string>()
  if (field === 'error') {
    const rows = await readRowsAt<{ error_group: string }>(
      connection,
      'measure',
      'error_group',
      evaluation,
      positions,
    )
    for (const { position, error_group } of rows.values())
      values.set(position, formatValue(JSON.stringify(error_group)))
    return values
  }
  for await (const { position, body } of readBodies(connection, evaluation, Float64Array.from(positions))) {
    const value = field === 'input' ? findInput(body, name) : findResult(body, name)
    if (value !== undefined) values.set(position, formatValue(value))
  }
  if (values.size !== positions.length)
    throw new Error('The first row of a group does not contain its value. Check the store with assay check')
  return values
}

function findInput(body: string, name: string): string | undefined {
  return findNamed(body, 'inputs', 'name', name).get('value')
}

function findResult(body: string, name: string): string | undefined {
  const result = findNamed(body, 'results', 'evaluator_config', name).get('result')
  return result && splitMembers(result).get('value')
}

/** The members of the first element with this name. Derived tables use it, too. */
function findNamed(body: string, list: string, member: string, name: string): Map<string, string> {
  const storedName = toStorableText(name)
  for (const element of splitElements(splitMembers(body).get(list) ?? '[]')) {
    const members = splitMembers(element)
    if (toStorableText(unescapeString(members.get(member) ?? '""')) === storedName) return members
  }
  return new Map()
}

/** The members `value` and, if it is long, `is_cut` of a group, as JSON text with a comma at the end. */
function formatValue(value: string): string {
  // The end can be half of a surrogate pair.
  const start = value.slice(0, MAX_VALUE_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
  const members =
    value.length <= MAX_VALUE_CHARACTERS
      ? `"value":${value},`
      : `"value":${JSON.stringify(start)},"is_cut":true,`
  // Copied, because a part of a string keeps the whole string in memory.
  return Buffer.from(members).toString()
}

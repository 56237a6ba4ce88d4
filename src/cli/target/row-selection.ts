// Reads --filter and --base: the filters of rows, as in query parameters of the API.
import { Problem, UsageError } from '../../errors.ts'
import { findRowField, ROW_FIELDS } from '../../schema/filters/fields.ts'
import { OPERATORS, paramName } from '../../schema/filters/filters.ts'
import { parseFilters } from '../../schema/filters/parse-filters.ts'
import type { Settings } from '../../settings/settings.ts'
import { resolveId } from './resolve-id.ts'
import type { Target } from './target.ts'
import type { RowSelection } from './target-types.ts'

/** A name can contain an equals sign, so the value begins with an operator if there is one. */
const FILTER = new RegExp(`^(.+?)=((?:${Object.keys(OPERATORS).join('|')})\\..*)$|^([^=]+)=(.*)$`, 's')

/** Undefined without filters: all rows. Throws UsageError. */
export function readRowSelection({ filter, base }: Settings): RowSelection | undefined {
  if (filter.length === 0 && base === undefined) return undefined
  const parameters: Record<string, string[]> = {}
  for (const text of filter) {
    const [, name, value, plainName, plainValue = ''] = FILTER.exec(text) ?? []
    const parameter = name ?? plainName
    if (parameter === undefined)
      throw new UsageError(`--filter is '${text}', but must be like --filter result.answer_correct=is.false.`)
    checkField(parameter)
    parameters[parameter] = [...(parameters[parameter] ?? []), value ?? plainValue]
  }
  if ((parameters.q ?? []).length > 1) throw new UsageError('The filter q can be used only once.')
  const filters = parseRowFilters(parameters)
  const usesBase = filters.some(({ field }) => field === 'delta')
  if (usesBase && base === undefined)
    throw new UsageError('The filter delta needs a baseline. Set its id with --base.')
  if (!usesBase && base !== undefined)
    throw new UsageError('--base needs a filter such as delta.answer_correct=lt.0.')
  return { parameters, base }
}

/** The name of a baseline is replaced by its id. */
export async function resolveBaseline(target: Target, rows: RowSelection): Promise<RowSelection> {
  return rows.base === undefined ? rows : { ...rows, base: await resolveId(target, 'evaluation', rows.base) }
}

function checkField(parameter: string): void {
  if (findRowField(parameter)) return
  const names = ROW_FIELDS.map(([field]) => paramName(field)).join(', ')
  throw new UsageError(`There is no filter '${parameter}'. Filters: ${names}.`)
}

function parseRowFilters(parameters: Record<string, string[]>) {
  try {
    return parseFilters(parameters, (text) => text)
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error
  }
}

// The parameters that a revision left as they were.
import type { RevisionDiff } from 'assay-client'
import { isWithin, type Parameter, parametersOf } from './paths.ts'

/** `counted` are the changes that count. Empty where not all are known. */
export function unchangedOf(
  parameters: unknown,
  { changes, change_count }: RevisionDiff,
  counted = changes,
): Parameter[] {
  if (change_count > changes.length) return []
  const changed = counted.filter(({ kind }) => kind === 'added' || kind === 'changed')
  const paths = new Set(changed.map(({ path }) => path))
  // A scalar that became a list is one change, at a path above those of its parameters.
  const containers = changed.filter((change) => isContainer(change.new)).map(({ path }) => path)
  return parametersOf(parameters).filter(
    ({ path }) => !paths.has(path) && !containers.some((container) => isWithin(path, container)),
  )
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

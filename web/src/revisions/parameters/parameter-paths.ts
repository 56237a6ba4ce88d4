// Paths of parameters, as the API writes them: tools[1].name, headers["x.y"].
import type { RevisionDiff } from 'assay-client'
import { digitsOf } from '../../../../src/json/exact-values.ts'

export interface Parameter {
  path: string
  /** A scalar or an empty container. */
  value: unknown
}

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/
const SEGMENT = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy

/** Every parameter with its path, in document order. */
export function parametersOf(root: unknown): Parameter[] {
  const parameters: Parameter[] = []
  collect(root, '', parameters)
  return parameters
}

function collect(value: unknown, path: string, parameters: Parameter[]): void {
  const members = membersOf(value)
  if (!members || members.length === 0) {
    if (path !== '') parameters.push({ path, value })
    return
  }
  for (const [name, member] of members) collect(member, joinPath(path, name), parameters)
}

function membersOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null || digitsOf(value) !== undefined) return undefined
  return Object.entries(value)
}

function joinPath(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

/** The value at a path; undefined if there is none. */
export function valueAt(parameters: unknown, path: string): unknown {
  let value = parameters
  for (const [, name, index, quoted] of path.matchAll(SEGMENT)) {
    const key = name ?? index ?? JSON.parse(quoted ?? '""')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** True if the path is the container's path or inside the container. */
export function isWithin(path: string, container: string): boolean {
  return path.startsWith(container) && /^$|^[.[]/.test(path.slice(container.length))
}

/** `relevantChanges` can exclude whitespace changes. Empty if the API did not return all changes. */
export function unchangedOf(
  parameters: unknown,
  { changes, change_count }: RevisionDiff,
  relevantChanges = changes,
): Parameter[] {
  if (change_count > changes.length) return []
  const newOrChanged = relevantChanges.filter(({ kind }) => kind === 'added' || kind === 'changed')
  const paths = new Set(newOrChanged.map(({ path }) => path))
  // A scalar that changed to a list is one change, at the path that contains the new parameters.
  const containers = newOrChanged.filter((change) => isContainer(change.new)).map(({ path }) => path)
  return parametersOf(parameters).filter(
    ({ path }) => !paths.has(path) && !containers.some((container) => isWithin(path, container)),
  )
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

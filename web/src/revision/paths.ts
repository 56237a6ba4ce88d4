// Paths of parameters, as the API writes them: tools[1].name, headers["x.y"].
import { digitsOf } from '../format/exact.ts'

export interface Parameter {
  path: string
  /** A scalar or an empty container. */
  value: unknown
}

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/
const STEP = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy

/** Every parameter with its path, in the order of the text. */
export function parametersOf(parameters: unknown): Parameter[] {
  const found: Parameter[] = []
  collect(parameters, '', found)
  return found
}

function collect(value: unknown, path: string, found: Parameter[]): void {
  const members = membersOf(value)
  if (!members || members.length === 0) {
    if (path !== '') found.push({ path, value })
    return
  }
  for (const [name, member] of members) collect(member, joined(path, name), found)
}

function membersOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null || digitsOf(value) !== undefined) return undefined
  return Object.entries(value)
}

function joined(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(parameters: unknown, path: string): unknown {
  let value = parameters
  for (const [, name, place, quoted] of path.matchAll(STEP)) {
    const key = name ?? place ?? JSON.parse(quoted ?? '""')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Whether a parameter is at the path or inside of what is there. */
export function isWithin(path: string, container: string): boolean {
  return path.startsWith(container) && /^$|^[.[]/.test(path.slice(container.length))
}

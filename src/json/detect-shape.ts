// Reads the member names at the beginning of a JSON text, to detect the format of a file.
import type { Shape } from './records.ts'

export interface JsonPreview {
  shape: Shape
  /** The member names of the first record, as far as it is in the preview. */
  names: string[]
  /** The same with nested names, joined by dots. Arrays add no step. */
  paths: ReadonlySet<string>
}

/** The maximum depth of nested names. */
const MAX_DEPTH = 4

/** Undefined if the text does not begin with an object or an array of objects. The text can be truncated anywhere. */
export function readJsonPreview(text: string): JsonPreview | undefined {
  const [start = '', bracket] = /^\ufeff?\s*(?:(\[)\s*)?\{/.exec(text) ?? []
  if (start === '') return undefined
  const paths = new Set<string>()
  /** The paths of the open objects and arrays. */
  const openPaths = ['']
  let currentPath = ''
  // A lone quote opens a string that is truncated. Nothing after it can be read.
  const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]|"/gs
  tokens.lastIndex = start.length
  for (let token = tokens.exec(text); token && openPaths.length > 0; token = tokens.exec(text)) {
    const [whole, name, colon] = token
    if (whole === '"') break
    if (whole === '{' || whole === '[') openPaths.push(currentPath)
    else if (whole === '}' || whole === ']') currentPath = openPaths.pop() ?? ''
    else if (colon !== undefined) {
      const parent = openPaths.at(-1)
      currentPath = parent ? `${parent}.${tryUnescapeName(name ?? '')}` : tryUnescapeName(name ?? '')
      if (openPaths.length <= MAX_DEPTH) paths.add(currentPath)
    }
  }
  const names = [...paths].filter((path) => !path.includes('.'))
  return { shape: bracket === undefined ? 'lines' : 'array', names, paths }
}

/** Of a name that was not scanned. One that is not valid JSON stays as it is. */
export function tryUnescapeName(name: string): string {
  if (!name.includes('\\')) return name
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

// The beginning of a JSON text: enough to tell what kind of file it is, without reading all of it.
import type { Shape } from './records.ts'

export interface Opening {
  shape: Shape
  /** Of the first record, as far as they can be seen. */
  names: string[]
  /** The same with the names of what stands inside, joined by dots; arrays on the way do not count. */
  paths: ReadonlySet<string>
}

/** How deep inside names are looked at. */
const DEPTH = 4

/** Undefined where the text does not begin with an object, or with an array of them. May be cut off anywhere. */
export function readOpening(text: string): Opening | undefined {
  const [start = '', bracket] = /^\ufeff?\s*(?:(\[)\s*)?\{/.exec(text) ?? []
  if (start === '') return undefined
  const paths = new Set<string>()
  /** The path of each object or array that is open. */
  const open = ['']
  let here = ''
  // A lone quote opens a string that is cut off: behind it nothing can be told.
  const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]|"/gs
  tokens.lastIndex = start.length
  for (let token = tokens.exec(text); token && open.length > 0; token = tokens.exec(text)) {
    const [whole, name, colon] = token
    if (whole === '"') break
    if (whole === '{' || whole === '[') open.push(here)
    else if (whole === '}' || whole === ']') here = open.pop() ?? ''
    else if (colon !== undefined) {
      const around = open.at(-1)
      here = around ? `${around}.${unescaped(name ?? '')}` : unescaped(name ?? '')
      if (open.length <= DEPTH) paths.add(here)
    }
  }
  const names = [...paths].filter((path) => !path.includes('.'))
  return { shape: bracket === undefined ? 'lines' : 'array', names, paths }
}

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

// The beginning of a JSON text: enough to tell what kind of file it is, without reading all of it.
import type { Shape } from './records.ts'

export interface Opening {
  shape: Shape
  /** Of the first record, as far as they can be seen. */
  names: string[]
}

/** Undefined where the text does not begin with an object, or with an array of them. May be cut off anywhere. */
export function readOpening(text: string): Opening | undefined {
  const [start = '', bracket] = /^\s*(?:(\[)\s*)?\{/.exec(text) ?? []
  if (start === '') return undefined
  const names: string[] = []
  const tokens = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g
  tokens.lastIndex = start.length
  for (let depth = 1, token = tokens.exec(text); token && depth > 0; token = tokens.exec(text)) {
    const [whole, name, colon] = token
    if (whole === '{' || whole === '[') depth += 1
    else if (whole === '}' || whole === ']') depth -= 1
    else if (colon !== undefined && depth === 1) names.push(unescaped(name ?? ''))
  }
  return { shape: bracket === undefined ? 'lines' : 'array', names }
}

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

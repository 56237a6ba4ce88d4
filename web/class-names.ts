// Short names of CSS classes, which compress well: a prefix for each file, and a number for each class of the file.
import { globSync } from 'node:fs'
import { relative } from 'node:path'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Sorted, so that the same sources always have the same names. */
const FILES = globSync('src/**/*.module.css', { cwd: import.meta.dirname }).sort()
const numbersByFile = new Map<string, Map<string, number>>()

export function classNameOf(name: string, path: string): string {
  const file = relative(import.meta.dirname, path)
  const numbers = numbersByFile.get(file) ?? new Map<string, number>()
  numbersByFile.set(file, numbers)
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return `${prefixOf(file)}${number}`
}

function prefixOf(file: string): string {
  // The development server can load a file that is newer than the list.
  if (!FILES.includes(file)) FILES.push(file)
  const index = FILES.indexOf(file)
  return `${LETTERS[Math.floor(index / LETTERS.length)]}${LETTERS[index % LETTERS.length]}`
}

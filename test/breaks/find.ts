// Finds the code that a deliberate break changes, and the test that detects it, by their names.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Break } from './breaks.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const readFiles = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))

const SOURCES = readFiles('src/**/*.ts')
const TESTS = readFiles('test/**/*.test.ts')

/** The declarations in formatted code: each begins at a line with this indentation, and ends before the next one. */
function findDeclarations(code: string, indentation: string, name: string): string[] {
  const declaration = new RegExp(`^[\\w *]*(?<![\\w#])${RegExp.escape(name)}(?!\\w)`)
  return code
    .split(new RegExp(`\n(?=${indentation}[^\\s})\\]/*])`))
    .filter((lines) => declaration.test(lines))
}

/** The functions and constants with this name, or the members of a class: `Class.member`. */
function findPlaces(source: string, place: string): string[] {
  const [name = '', member] = place.split('.')
  const declarations = findDeclarations(source, '', name)
  return member === undefined
    ? declarations
    : declarations.flatMap((code) => findDeclarations(code, '  ', member))
}

/** The file that the break changes, and its broken source. Throws unless the text is in one place. */
export function applyBreak({ name, in: place, text, replacement }: Break) {
  const found = SOURCES.filter(({ source }) => source.includes(text)).flatMap(({ file, source }) =>
    findPlaces(source, place).flatMap((code) => {
      const broken = source.replace(code, () => code.replace(text, () => replacement))
      return new Array(code.split(text).length - 1).fill({ file, source: broken })
    }),
  )
  if (found.length !== 1) throw new Error(`The break "${name}" changes ${found.length} places.`)
  return found[0] as { file: string; source: string }
}

/** Matches all names that a template literal can produce. */
function literalPattern(literal: string): RegExp {
  const parts = literal.slice(1, -1).replaceAll(/\\(['"`])/g, '$1')
  return new RegExp(
    `^${parts
      .split(/\$\{[^}]*\}/)
      .map(RegExp.escape)
      .join('.+')}$`,
  )
}

/** A rejected request has a name before the colon, and a common rest. */
function includesName(source: string, name: string): boolean {
  const names = [name, name.replace(/: returns \d+ [a-z-]+ and stores nothing$/, '')]
  return names.some((text) => source.includes(`'${text.replaceAll("'", "\\'")}'`))
}

function includesTemplate(source: string, name: string): boolean {
  const titles = source.matchAll(/\btest\(\s*(`(?:\\.|[^`\\])*`)/g)
  return [...titles].some(([, title = '']) => literalPattern(title).test(name))
}

/** The file of the test that detects the break. Throws unless one file has a test of this name. */
export function findTestFile({ test, testFile }: Break): string {
  const files = TESTS.filter(({ file }) => testFile === undefined || file === testFile)
  const literals = files.filter(({ source }) => includesName(source, test))
  const [found, ...others] =
    literals.length > 0 ? literals : files.filter(({ source }) => includesTemplate(source, test))
  if (!found || others.length > 0) throw new Error(`${others.length + 1} files have a test "${test}".`)
  return found.file
}

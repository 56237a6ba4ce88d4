// Remembers the roles that the user chose, for the next file with the same columns.
import type { ImportColumn } from 'assay-client'
import { preference, setPreference } from '../../../../state/preferences.ts'
import { type ColumnChoice, isSameChoice, ROLES } from './roles.ts'

const PREFERENCE = 'import.columns'
const MAX_HEADERS = 20
const MAX_CHARACTERS = 100_000

/** The column names, and the choice for each. The latest entry is the first. */
type Entry = [names: string[], choices: ColumnChoice[]]

/** Undefined if the user did not change a role of such a table. */
export function rememberedChoices(columns: ImportColumn[]): ColumnChoice[] | undefined {
  const choices = readEntries().find(([names]) => headerOf(names) === headerOf(namesOf(columns)))?.[1]
  const isValid = choices?.length === columns.length && choices.every(({ role }) => ROLES.includes(role))
  return isValid && choices.some((choice, index) => !isSameChoice(choice, columns[index] ?? choice))
    ? choices
    : undefined
}

export function rememberChoices(columns: ImportColumn[], choices: ColumnChoice[]): void {
  const header = headerOf(namesOf(columns))
  const others = readEntries().filter(([names]) => headerOf(names) !== header)
  const isChanged = choices.some((choice, index) => !isSameChoice(choice, columns[index] ?? choice))
  const plain = choices.map(({ role, key, type, provider }) => ({ role, key, type, provider }))
  const entries: Entry[] = isChanged ? [[namesOf(columns), plain], ...others] : others
  entries.splice(MAX_HEADERS)
  while (JSON.stringify(entries).length > MAX_CHARACTERS) entries.pop()
  setPreference(PREFERENCE, JSON.stringify(entries))
}

export function headerOf(names: string[]): string {
  return JSON.stringify(names)
}

export function namesOf(columns: ImportColumn[]): string[] {
  return columns.map(({ name }) => name)
}

function readEntries(): Entry[] {
  return JSON.parse(preference(PREFERENCE) ?? '[]') as Entry[]
}

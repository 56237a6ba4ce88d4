// What a command is, and how its help is printed.
import { flagOf, rangeText, type Settings, settingsOf, variableOf } from '../settings.ts'

export interface Command {
  /** The words behind `assay`. */
  name: string
  /** What stands behind the words, such as PUBLIC. */
  takes?: string
  summary: string
  /** How many words it takes, at least and at most. */
  words: readonly [least: number, most: number]
  /** What the words are, where their number alone says too little. */
  expects?: string
  run(settings: Settings, words: string[]): Promise<void>
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function commandHelp({ name, takes, summary }: Pick<Command, 'name' | 'takes' | 'summary'>): string {
  const settings = settingsOf(name).map(([setting, row]) => {
    const { value, default: usual, help } = row
    const head = value === undefined ? flagOf(setting) : `${flagOf(setting)} ${value}`
    const fallback = usual === undefined || usual === 'false' || usual === '' ? '' : ` Default: ${usual}.`
    return `  ${head.padEnd(26)} ${help}${rangeText(row)}${fallback}\n  ${''.padEnd(26)} ${variableOf(setting)}`
  })
  const usage = `Usage: assay ${name}${takes === undefined ? '' : ` ${takes}`} [settings]`
  return [usage, '', summary, '', 'Settings, each with its environment variable:', ...settings].join('\n')
}

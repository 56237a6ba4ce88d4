// The Command interface, and the help text of a command.
import { describeRange, flagOf, type Settings, settingsOf, variableOf } from '../settings/settings.ts'

export interface Command {
  /** The words after `assay`, such as `keys create`. */
  name: string
  /** Names of the arguments in the usage line, such as FILE. */
  argumentNames?: string
  summary: string
  /** Minimum and maximum number of arguments. */
  argumentCount: readonly [min: number, max: number]
  /** Describes the arguments in usage errors. Default: their number and names. */
  argumentHelp?: string
  run(settings: Settings, args: string[]): Promise<void>
}

export function commandHelp({
  name,
  argumentNames: takes,
  summary,
}: Pick<Command, 'name' | 'argumentNames' | 'summary'>): string {
  const settings = settingsOf(name).map(([setting, row]) => {
    const { value, default: defaultText, help } = row
    const head = value === undefined ? flagOf(setting) : `${flagOf(setting)} ${value}`
    const hasDefault = defaultText !== undefined && defaultText !== 'false' && defaultText !== ''
    const fallback = hasDefault ? ` Default: ${defaultText}.` : ''
    return `  ${head.padEnd(26)} ${help}${describeRange(row)}${fallback}\n  ${''.padEnd(26)} ${variableOf(setting)}`
  })
  const usage = `Usage: assay ${name}${takes === undefined ? '' : ` ${takes}`} [settings]`
  return [usage, '', summary, '', 'Settings and their environment variables:', ...settings].join('\n')
}

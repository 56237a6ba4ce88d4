// The Command interface, and the help text of a command.
import { describeRange, flagOf, type Settings, settingsOf, variableOf } from '../settings/settings.ts'

export interface Command {
  /** Names of the arguments in the usage line, such as FILE. */
  argumentNames?: string
  summary: string
  /** Minimum and maximum number of arguments. Default: none. */
  argumentCount?: readonly [min: number, max: number]
  /** Describes the arguments in usage errors. Default: their number and names. */
  argumentHelp?: string
  /** Text after the settings in the help. */
  details?: string
  run(settings: Settings, args: string[]): Promise<void>
}

export function commandHelp(name: string, { argumentNames, summary, details }: Command): string {
  const settings = settingsOf(name).map(([settingName, setting]) => {
    const { placeholder, default: defaultText, help } = setting
    const flag = placeholder === undefined ? flagOf(settingName) : `${flagOf(settingName)} ${placeholder}`
    const hasDefault = defaultText !== undefined && defaultText !== 'false' && defaultText !== ''
    const defaultHelp = hasDefault ? ` Default: ${defaultText}.` : ''
    return `  ${flag.padEnd(26)} ${help}${describeRange(setting)}${defaultHelp}\n  ${''.padEnd(26)} ${variableOf(settingName)}`
  })
  const usage = `Usage: assay ${name}${argumentNames === undefined ? '' : ` ${argumentNames}`} [settings]`
  const ending = details === undefined ? [] : ['', details]
  return [usage, '', summary, '', 'Settings and their environment variables:', ...settings, ...ending].join(
    '\n',
  )
}

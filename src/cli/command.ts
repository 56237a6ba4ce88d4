// The Command interface, and the help text of a command.
import { COMMAND_SETTINGS } from '../settings/command-setting-table.ts'
import { SERVICE_SETTINGS } from '../settings/setting-table.ts'
import {
  describeRange,
  flagOf,
  helpOf,
  readsVariable,
  type Settings,
  settingsOf,
  variableOf,
} from '../settings/settings.ts'
import { formatEntry, wrapText } from './output/help-text.ts'

/** What the help needs to know about a command before its module is loaded. */
export interface CommandSummary {
  /** Names of the arguments in the usage line, such as FILE. */
  argumentNames?: string
  summary: string
  /** Complete command lines. */
  examples: readonly string[]
}

export interface Command {
  /** Minimum and maximum number of arguments. Default: none. */
  argumentCount?: readonly [min: number, max: number]
  /** Describes the arguments in usage errors. Default: their number and names. */
  argumentHelp?: string
  /** A list at the end of the help: the name of each entry, and its paragraphs. */
  details?: { title: string; entries: (readonly [name: string, ...paragraphs: string[]])[] }
  run(settings: Settings, args: string[]): Promise<void>
}

export function commandHelp(
  name: string,
  { argumentNames, summary, examples }: CommandSummary,
  { details }: Command,
): string {
  const formatSetting = ([settingName, setting]: ReturnType<typeof settingsOf>[number]) => {
    const { placeholder, default: defaultText } = setting
    const flag = placeholder === undefined ? flagOf(settingName) : `${flagOf(settingName)} ${placeholder}`
    const hasDefault = defaultText !== undefined && defaultText !== 'false' && defaultText !== ''
    const defaultHelp = hasDefault ? ` Default: ${defaultText}.` : ''
    const text = helpOf(setting, name) + describeRange(setting) + defaultHelp
    return formatEntry(flag, text, ...(readsVariable(setting, name) ? [variableOf(settingName)] : []))
  }
  const formatSection = (title: string, settings: ReturnType<typeof settingsOf>) =>
    settings.length > 0 ? [[`${title}:`, ...settings.map(formatSetting)].join('\n')] : []
  const { own = [], shared = [] } = Object.groupBy(settingsOf(name), ([settingName]) =>
    isOwn(settingName) ? 'own' : 'shared',
  )
  const usage = `Usage: assay ${name}${argumentNames === undefined ? '' : ` ${argumentNames}`} [settings]`
  const sections = [
    usage,
    wrapText(summary),
    ['Examples:', ...examples.map((example) => `  ${example}`)].join('\n'),
  ]
  sections.push(...formatSection('Options and their environment variables', own))
  if (name !== 'serve') sections.push(...formatSection('Connection and limits', shared))
  else
    for (const [title, group] of Object.entries(SERVICE_SETTINGS))
      sections.push(
        ...formatSection(
          title,
          shared.filter(([setting]) => Object.hasOwn(group, setting)),
        ),
      )
  if (details) {
    const entries = details.entries.map(([entry, ...paragraphs]) => formatEntry(entry, ...paragraphs))
    sections.push([details.title, ...entries].join('\n'))
  }
  return sections.join('\n\n')
}

/** The others select the store or service, or are limits and settings of \`serve\`. */
function isOwn(setting: string): boolean {
  return Object.hasOwn(COMMAND_SETTINGS, setting) && setting !== 'project'
}

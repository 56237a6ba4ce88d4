// Reads the commands of a Markdown page: those in code blocks and workflow steps, and complete commands in the text.
import { parseYaml } from '@redocly/openapi-core'
import { COMMANDS } from '../../src/cli/commands.ts'
import { flagOf, readSettings, settingsOf } from '../../src/settings/settings.ts'

export interface Page {
  /** A shell script that has each command on its line of the page. */
  script: string
  /** What the page shows as the output of a block, by the line where the block starts. */
  outputs: { line: number; text: string }[]
  /** Names of commands, commands with placeholders, and others that are only parsed. They are not in the script. */
  references: { line: number; text: string }[]
}

export interface Block {
  language: string
  /** The index of the line that opens the block. */
  start: number
  lines: string[]
}

/** Separates the output of blocks. The number of the line that opens the block follows. */
export const BLOCK_MARK = '\u001e'
const PROGRAM = /^(?:docker compose exec assay |sudo -u assay |npx (?:--yes )?)?(?:assay|curl)(?:@\S+)? /
const CRON_TIMES = /^(?:[\d*/,-]+ ){5}/
const RUN_STEP = /^(\s*(?:- )?)run: (.*)$/
const LIST_ITEM = /^(\s*- )(.*)$/

/** The commands in the text and in tables are optional: each one starts a process. */
export function readPage(text: string, { runsInline = true } = {}): Page {
  const lines = text.split('\n')
  const blocks = readBlocks(lines)
  const script = lines.map(() => '')
  const outputs: Page['outputs'] = []
  let commandBlock: Block | undefined
  for (const block of blocks) {
    if (block.language === 'sh') commandBlock = block
    else if (block.language === '' && commandBlock) {
      const output = block.lines.filter((line) => !CRON_TIMES.test(line))
      if (output.length > 0) outputs.push({ line: commandBlock.start + 1, text: output.join('\n') })
    }
    for (const [index, line] of scriptOf(block)) script[index] = (script[index] ?? '') + line
  }
  const references: Page['references'] = []
  for (const { line, text } of inlineCommands(lines, blocks)) {
    const isRun = text.startsWith('curl ') || (runsInline && !isReference(text))
    if (!isRun) references.push({ line, text })
    else script[line - 1] += `${text}; `
  }
  return { script: script.join('\n'), outputs, references }
}

export function readBlocks(lines: string[]): Block[] {
  const blocks: Block[] = []
  let block: (Block & { indent: string }) | undefined
  for (const [index, line] of lines.entries()) {
    const [fence, indent = '', language = ''] = /^(\s*)```(\w*)$/.exec(line) ?? []
    if (block && fence === undefined) block.lines.push(line.replace(block.indent, ''))
    else if (block) block = undefined
    else if (fence !== undefined) {
      block = { language, start: index, lines: [], indent }
      blocks.push(block)
    }
  }
  return blocks
}

/** The script of a block, as indexes of lines in the page with their text. */
function scriptOf({ language, start, lines }: Block): [index: number, text: string][] {
  const numbered = lines.map((line, index): [number, string] => [start + 1 + index, line])
  if (language === 'sh')
    return [
      [start, `printf '${BLOCK_MARK}${start + 1}\\n'`],
      ...numbered.map(([index, line]): [number, string] => [index, startServiceAndWait(line)]),
    ]
  if (language === '')
    return numbered
      .map(([index, line]): [number, string] => [index, line.replace(CRON_TIMES, '')])
      .filter(([, line]) => PROGRAM.test(line))
  return language === 'yaml' ? workflowScript(start, numbered) : []
}

/** The next command of a page needs the service, so that it starts before that command. */
function startServiceAndWait(line: string): string {
  return line.replace(/^(.*\bassay serve\b.*?) &$/, '$1')
}

/** The steps of a workflow of GitHub or GitLab. Each one runs in a subshell, with the variables of all jobs. */
function workflowScript(start: number, lines: [index: number, text: string][]): [number, string][] {
  const variables = variablesOf(parseYaml(lines.map(([, line]) => line).join('\n')))
  const script: [number, string][] = [[start, `( ${variables.map((text) => `export ${text}; `).join('')}`]]
  let scriptIndent: number | undefined
  let stepIndent: number | undefined
  for (const [index, line] of [...lines, [start + lines.length + 1, ''] as const]) {
    const indent = line.search(/\S/)
    if (stepIndent !== undefined && indent > stepIndent) {
      script.push([index, line.trim()])
      continue
    }
    if (stepIndent !== undefined) script.push([index, '); '])
    stepIndent = undefined
    if (scriptIndent !== undefined && indent <= scriptIndent) scriptIndent = undefined
    const [, prefix = '', command = ''] = (scriptIndent === undefined ? RUN_STEP : LIST_ITEM).exec(line) ?? []
    if (command === '|') {
      stepIndent = scriptIndent === undefined ? prefix.length : indent
      script.push([index, '('])
    } else if (command !== '') script.push([index, `( ${command} ); `])
    if (/^\s*script:$/.test(line)) scriptIndent = indent
  }
  // A file without steps is not a workflow.
  return script.length > 1 ? [...script, [start + lines.length + 1, ')']] : []
}

/** The assignments of all variables in a workflow. */
function variablesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'env' || name === 'variables'
      ? Object.entries(member).map(([variable, text]) => `${variable}="${text}"`)
      : variablesOf(member),
  )
}

function inlineCommands(lines: string[], blocks: Block[]): { line: number; text: string }[] {
  const prose = [...lines]
  for (const { start, lines } of blocks) prose.fill('', start, start + lines.length + 2)
  const text = prose.join('\n')
  return [...text.matchAll(/`([^`]+)`/g)]
    .map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      text: (match[1] ?? '').replace(/\s+/g, ' '),
    }))
    .filter(({ text }) => PROGRAM.test(text))
}

/** A word in capitals stands for a value, and … for more of them. */
const PLACEHOLDER = /(?<= )(?:[A-Z][A-Z_]*|…)…?(?= |$)/g

/** Whether a text names a command, or is the pattern of one, instead of a command that can be run. */
function isReference(text: string): boolean {
  if (text.startsWith('curl ')) return false
  const { name, args } = splitCommand(text)
  if (text.search(PLACEHOLDER) >= 0) return true
  if (name === undefined) return false
  return args.length === 0 || lacksArguments(name, args)
}

/** Throws if a text names a command or a flag that does not exist, or if a complete command has a wrong value. */
export function checkCommand(text: string): void {
  const { name, args } = splitCommand(text)
  if (name === undefined) {
    if (!/^(?:COMMAND|--version|--help)$/.test(args[0] ?? '')) throw new Error(`Unknown command: ${text}`)
  } else if (isReference(text)) {
    const unknownFlag = args.find((arg) => arg.startsWith('-') && !flagsOf(name).has(arg))
    if (unknownFlag !== undefined) throw new Error(`Unknown flag ${unknownFlag}: ${text}`)
  } else readSettings(name, args, {})
}

function lacksArguments(name: string, args: string[]): boolean {
  const flags = flagsOf(name)
  if (flags.get(args.at(-1) ?? '') !== undefined) return true
  const isFlagOrValue = (arg: string, index: number) =>
    arg.startsWith('-') || flags.get(args[index - 1] ?? '') !== undefined
  const needsArguments = COMMANDS[name]?.argumentNames !== undefined && !args.includes('--variant')
  return needsArguments && args.every(isFlagOrValue)
}

/** The flags of a command with the placeholders of their values. */
function flagsOf(name: string): Map<string, string | undefined> {
  return new Map(settingsOf(name).map(([setting, { placeholder }]) => [flagOf(setting), placeholder]))
}

/** The name is undefined if the text is not the command of a store, such as `curl` or `assay --version`. */
function splitCommand(text: string): { name: string | undefined; args: string[] } {
  const words = text.split(' ')
  const [first, ...args] = words.slice(words.findLastIndex((word) => /^assay(?:@\S+)?$/.test(word)))
  if (!first?.startsWith('assay')) return { name: undefined, args }
  const length = [2, 1].find((length) => Object.hasOwn(COMMANDS, args.slice(0, length).join(' ')))
  if (length === undefined) return { name: undefined, args }
  return { name: args.slice(0, length).join(' '), args: args.slice(length) }
}

// Finds the columns of several models in one table, such as `gpt_response,gpt_score,claude_response,claude_score`.
import { meaningOf, splitWords, UNORDERED_RANK } from './column-names.ts'
import type { Column } from './columns.ts'
import { MODEL_FAMILIES, NAME_ENDINGS, RECEIVED_STARTS, STAGES } from './name-lists.ts'
import { MAX_PROVIDERS } from './providers.ts'
import type { TableSample } from './sample.ts'

/** A column of one model: `gpt_score` is the column `score` of `gpt`. */
interface MemberColumn {
  provider: string
  rest: string
}

export interface Members {
  /** In the order of their outputs. */
  providers: string[]
  columns: Map<string, MemberColumn>
  /** The provider whose output an option chooses. The columns of the others are not imported. */
  chosen?: string | undefined
}

type Side = 'start' | 'end'

interface Group {
  side: Side
  rest: string
  /** The words of the model by the name of its output. */
  outputs: Map<string, string>
}

/** Names with more words are not examined. */
const MAX_WORDS = 12

/** The words of names, joined by spaces. */
type Words = ReadonlyMap<string, string>

/** Undefined if the table has the output of one application only. */
export function findMembers(
  { columns: samples }: TableSample,
  decided: ReadonlyMap<string, Column>,
): Members | undefined {
  const names = [...samples.keys()]
  const mapped = names.flatMap((name) => {
    const { provider = null } = decided.get(name) ?? {}
    return provider === null ? [] : [{ name, provider }]
  })
  const wordsOf: Words = new Map(names.map((name) => [name, splitWords(name).join(' ')]))
  if (mapped.length > 0) {
    const providers = [...new Set(mapped.map(({ provider }) => provider))]
    const columns = assignColumns(wordsOf, decided, providers)
    for (const { name, provider } of mapped)
      columns.set(name, { provider, rest: columns.get(name)?.rest ?? name })
    return { providers, columns }
  }
  const output = [...decided.values()].find(({ role }) => role === 'output')
  if (output && output.origin !== 'option') return undefined
  const openNames = names.filter((name) => !decided.has(name) || name === output?.name)
  const group = findGroup(openNames, wordsOf, samples, output !== undefined)
  if (!group || (output && !group.outputs.has(output.name))) return undefined
  const outputs = Array.from(group.outputs, ([name, words]) => {
    const { provider, rest } = cut(name, words, group.side) ?? { provider: name, rest: 'output' }
    return [name, { provider, rest }] as const
  })
  const providers = outputs.map(([, { provider }]) => provider)
  const columns = assignColumns(wordsOf, decided, providers)
  for (const [name, member] of outputs) columns.set(name, member)
  return { providers, columns, chosen: output && columns.get(output.name)?.provider }
}

function findGroup(
  names: readonly string[],
  wordsOf: Words,
  samples: TableSample['columns'],
  isOutputChosen: boolean,
): Group | undefined {
  const groups = new Map<string, Group>()
  for (const name of names) {
    const meaning = meaningOf(name)
    if (meaning && meaning.role !== 'output') continue
    const options = findSplits(wordsOf.get(name) ?? '')
    // A name that can only be the output of the table.
    if (!isOutputChosen && options.length === 0 && meaning && meaning.rank < UNORDERED_RANK) return undefined
    for (const { side, words, rest } of options) {
      const group: Group = groups.get(`${side} ${rest}`) ?? { side, rest, outputs: new Map() }
      groups.set(`${side} ${rest}`, group)
      group.outputs.set(name, words)
    }
  }
  const bare = names.flatMap((name) => {
    const words = wordsOf.get(name) ?? ''
    return isModelName(words) && isOutputText(name, samples) ? [[name, words] as const] : []
  })
  groups.set('', { side: 'start', rest: '', outputs: new Map(bare) })
  const families = [...groups.values()].filter((group) => isFamily(group, [...wordsOf.values()]))
  return families.toSorted((a, b) => b.outputs.size - a.outputs.size)[0]
}

/** The ways to read a name as an output of a model. */
function findSplits(name: string): { side: Side; words: string; rest: string }[] {
  const words = name.split(' ')
  if (words.length > MAX_WORDS) return []
  const options: { side: Side; words: string; rest: string }[] = []
  for (let count = 1; count < words.length; count++)
    for (const side of ['start', 'end'] as const) {
      const member = side === 'start' ? words.slice(0, count) : words.slice(-count)
      const rest = (side === 'start' ? words.slice(count) : words.slice(0, -count)).join(' ')
      if (canBeModel(member) && meaningOf(rest)?.role === 'output')
        options.push({ side, words: member.join(' '), rest })
    }
  return options
}

function canBeModel(words: readonly string[]): boolean {
  return !RECEIVED_STARTS.includes(words[0] ?? '') && !STAGES.includes(words.join(' '))
}

function isModelName(words: string): boolean {
  return MODEL_FAMILIES.some((family) => new RegExp(`^${family}(?![a-z])`).test(words))
}

/** Names such as `a`, `2` and `model 2` are also used for choices and samples. */
const IS_NUMBERED = /^(\p{L}|\d+|\p{L}+ (\p{L}|\d+))$/u

/** Whether the outputs are of several models, and not several outputs of one model. */
function isFamily({ side, rest, outputs }: Group, names: readonly string[]): boolean {
  const members = [...outputs.values()]
  if (members.length < 2 || members.length > MAX_PROVIDERS) return false
  if (new Set(members).size < members.length) return false
  if (members.every(isModelName)) return true
  const measured = members.filter((words) => names.some((name) => isMeasurementOf(name, words, side)))
  if (measured.length > 1) return true
  const isNumbered = members.every((words) => IS_NUMBERED.test(words))
  if (isNumbered && members.some((words) => !/(^| )[ab]$/.test(words))) return false
  if (isNumbered) return members.length === 2 && NAME_ENDINGS.output.includes(rest.replace(/s$/, ''))
  return rest !== 'prediction' && (NAME_ENDINGS.output.includes(rest.replace(/s$/, '')) || rest === 'answer')
}

function isMeasurementOf(name: string, words: string, side: Side): boolean {
  const rest = restOf(name, words, side)
  return rest !== undefined && ['score', 'cost', 'latency'].includes(meaningOf(rest)?.role ?? '')
}

function isOutputText(name: string, samples: TableSample['columns']): boolean {
  const { count = 0, numberCount = 0, booleanCount = 0 } = samples.get(name) ?? {}
  return count === 0 || (numberCount < count && booleanCount < count)
}

/** The columns whose name begins or ends with a provider. Names that become equal to others belong to all evaluations. */
function assignColumns(
  wordsOf: Words,
  decided: ReadonlyMap<string, Column>,
  providers: readonly string[],
): Map<string, MemberColumn> {
  const longestFirst = providers
    .map((provider) => ({ provider, words: splitWords(provider).join(' ') }))
    .filter(({ words }) => words !== '')
    .toSorted((a, b) => b.words.length - a.words.length)
  const columns = new Map<string, MemberColumn>()
  const usedNames = new Set<string>()
  for (const [name, all] of wordsOf) {
    // An option that names no model changes the role of the column, not its model.
    if (decided.get(name)?.origin === 'preset') continue
    for (const { provider, words } of longestFirst) {
      const side = (['start', 'end'] as const).find((option) => restOf(all, words, option) !== undefined)
      const rest = side && cut(name, words, side)?.rest
      const key = JSON.stringify([provider, rest])
      if (rest === undefined || usedNames.has(key) || wordsOf.has(rest)) continue
      usedNames.add(key)
      columns.set(name, { provider, rest })
      break
    }
  }
  return columns
}

/** The words without those at the start or end. */
function restOf(all: string, words: string, side: Side): string | undefined {
  if (side === 'start') return all.startsWith(`${words} `) ? all.slice(words.length + 1) : undefined
  return all.endsWith(` ${words}`) ? all.slice(0, -words.length - 1) : undefined
}

/** The text of a name without the words at its start or end. */
function cut(name: string, words: string, side: Side): MemberColumn | undefined {
  const restWords = restOf(splitWords(name).join(' '), words, side)
  if (restWords === undefined) return undefined
  const [first, second] = side === 'start' ? [words, restWords] : [restWords, words]
  for (let end = 1; end < name.length; end++) {
    const [head, tail] = [name.slice(0, end), name.slice(end)]
    if (splitWords(head).join(' ') !== first || splitWords(tail).join(' ') !== second) continue
    const [member, rest] = side === 'start' ? [head, tail] : [tail, head]
    return { provider: trimSeparators(member), rest: trimSeparators(rest) }
  }
  return undefined
}

function trimSeparators(text: string): string {
  const trimmed = text.replaceAll(/^[\s_\-.:/|)\]]+|[\s_\-.:/|([]+$/g, '')
  return /^[([](.*)[)\]]$/s.exec(trimmed)?.[1] ?? trimmed
}

// Finds the columns of several models in one table, such as `gpt_response,gpt_score,claude_response,claude_score`.
import { meaningOf, splitWords, UNORDERED_RANK } from './column-names.ts'
import type { Column } from './columns.ts'
import { MODEL_FAMILIES, NAME_ENDINGS, RECEIVED_STARTS, STAGES } from './name-lists.ts'
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
  outputs: Map<string, MemberColumn & { words: string }>
}

/** Undefined if the table has the output of one application only. */
export function findMembers(
  { columns: samples }: TableSample,
  decided: ReadonlyMap<string, Column>,
): Members | undefined {
  const names = [...samples.keys()]
  const mapped = names.flatMap((name) => {
    const { provider = null, role } = decided.get(name) ?? {}
    return provider === null ? [] : [{ name, provider, role }]
  })
  if (mapped.length > 0) {
    const providers = [...new Set(mapped.map(({ provider }) => provider))]
    const columns = assignColumns(names, decided, providers)
    for (const { name, provider } of mapped)
      columns.set(name, { provider, rest: columns.get(name)?.rest ?? name })
    return { providers, columns }
  }
  const output = [...decided.values()].find(({ role }) => role === 'output')
  if (output && output.origin !== 'option') return undefined
  const openNames = names.filter((name) => !decided.has(name) || name === output?.name)
  const group = findGroup(openNames, samples, output !== undefined)
  if (!group || (output && !group.outputs.has(output.name))) return undefined
  const outputs = [...group.outputs]
  const providers = outputs.map(([, { provider }]) => provider)
  const columns = assignColumns(names, decided, providers)
  for (const [name, { provider, rest }] of outputs) columns.set(name, { provider, rest })
  return { providers, columns, chosen: output && group.outputs.get(output.name)?.provider }
}

function findGroup(
  names: readonly string[],
  samples: TableSample['columns'],
  isOutputChosen: boolean,
): Group | undefined {
  const hasClearOutput = names.some((name) => {
    const meaning = meaningOf(name)
    const isClear = meaning?.role === 'output' && meaning.rank < UNORDERED_RANK
    return isClear && splits(name).next().done
  })
  if (!isOutputChosen && hasClearOutput) return undefined
  const groups = new Map<string, Group>()
  for (const name of names)
    for (const { side, words, restWords } of splits(name)) {
      const { provider, rest } = cut(name, words, side) ?? {}
      if (provider === undefined || rest === undefined) continue
      const key = `${side} ${restWords}`
      const group: Group = groups.get(key) ?? { side, rest: restWords, outputs: new Map() }
      groups.set(key, group)
      group.outputs.set(name, { provider, rest, words })
    }
  const bare = names.filter((name) => isModelName(splitWords(name).join(' ')) && isOutputText(name, samples))
  const bareGroup: Group = { side: 'start', rest: '', outputs: new Map() }
  for (const name of bare)
    bareGroup.outputs.set(name, { provider: name, rest: 'output', words: splitWords(name).join(' ') })
  const candidates = [...groups.values(), bareGroup].filter((group) => isFamily(group, names))
  return candidates.toSorted((a, b) => b.outputs.size - a.outputs.size)[0]
}

/** The ways to read a name as an output of a model. */
function* splits(name: string): Generator<{ side: Side; words: string; restWords: string }> {
  const meaning = meaningOf(name)
  if (meaning && meaning.role !== 'output') return
  const words = splitWords(name)
  for (let count = 1; count < words.length; count++)
    for (const side of ['start', 'end'] as const) {
      const member = side === 'start' ? words.slice(0, count) : words.slice(-count)
      const rest = (side === 'start' ? words.slice(count) : words.slice(0, -count)).join(' ')
      if (meaningOf(rest)?.role === 'output' && canBeModel(member))
        yield { side, words: member.join(' '), restWords: rest }
    }
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
  const members = Array.from(outputs.values(), ({ words }) => words)
  if (members.length < 2 || new Set(members).size < members.length) return false
  if (members.every(isModelName)) return true
  const measured = members.filter((words) => names.some((name) => isMeasurementOf(name, words, side)))
  if (measured.length > 1) return true
  const isNumbered = members.every((words) => IS_NUMBERED.test(words))
  if (isNumbered && members.some((words) => !/(^| )[ab]$/.test(words))) return false
  if (isNumbered) return members.length === 2 && NAME_ENDINGS.output.includes(rest.replace(/s$/, ''))
  return rest !== 'prediction' && (NAME_ENDINGS.output.includes(rest.replace(/s$/, '')) || rest === 'answer')
}

function isMeasurementOf(name: string, words: string, side: Side): boolean {
  const rest = cut(name, words, side)?.rest
  return rest !== undefined && ['score', 'cost', 'latency'].includes(meaningOf(rest)?.role ?? '')
}

function isOutputText(name: string, samples: TableSample['columns']): boolean {
  const { count = 0, numberCount = 0, booleanCount = 0 } = samples.get(name) ?? {}
  return count === 0 || (numberCount < count && booleanCount < count)
}

/** The columns whose name begins or ends with a provider. Names that become equal to others belong to all evaluations. */
function assignColumns(
  names: readonly string[],
  decided: ReadonlyMap<string, Column>,
  providers: readonly string[],
): Map<string, MemberColumn> {
  const longestFirst = providers
    .map((provider) => ({ provider, words: splitWords(provider).join(' ') }))
    .filter(({ words }) => words !== '')
    .toSorted((a, b) => b.words.length - a.words.length)
  const columns = new Map<string, MemberColumn>()
  const usedNames = new Set<string>()
  for (const name of names) {
    if (decided.has(name) && decided.get(name)?.provider === null) continue
    for (const { provider, words } of longestFirst) {
      const { rest } = cut(name, words, 'start') ?? cut(name, words, 'end') ?? {}
      const key = JSON.stringify([provider, rest])
      if (rest === undefined || usedNames.has(key) || names.includes(rest)) continue
      usedNames.add(key)
      columns.set(name, { provider, rest })
      break
    }
  }
  return columns
}

/** The text of a name without the words at its start or end. */
function cut(name: string, words: string, side: Side): MemberColumn | undefined {
  const all = splitWords(name).join(' ')
  const restWords = side === 'start' ? all.slice(words.length + 1) : all.slice(0, -words.length - 1)
  if (restWords === '' || all !== (side === 'start' ? `${words} ${restWords}` : `${restWords} ${words}`))
    return undefined
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

// What the name of a column means by itself.
import type { ColumnRole } from '../../schema/imports.ts'
import {
  AMBIGUOUS_NAMES,
  ANSWER_NAMES,
  CHAT_NAMES,
  COLUMN_NAMES,
  DESCRIPTIONS,
  EXPECTED_STARTS,
  JUDGES,
  JUDGMENT_MEMBERS,
  MADE_THINGS,
  MAKERS,
  NAME_ENDINGS,
  RECEIVED_STARTS,
  REFERENCE_ENDINGS,
  SCORE_GROUPS,
  SYSTEM_NAMES,
  UNITS,
  VERDICT_ENDINGS,
} from './name-lists.ts'

const REFERENCE_NAME = new RegExp(
  `^(reference|ref|target|true|correct|desired) \\S*(${REFERENCE_ENDINGS.join('|')})$`,
)

export interface NameMeaning {
  role: ColumnRole
  /** Lower is preferred if only one column can have the role. */
  rank: number
  /** The unit in the name, such as `ms`, or `other`. */
  unit?: string | undefined
  /** Whether the role depends on the position and the values of the column. */
  isWeak?: boolean
  /** Whether only numbers, and true and false, have the role. */
  isNumeric?: boolean
  /** Whether 0 and 1 mean false and true. */
  isVerdict?: boolean
  /** The role if another column is the output. */
  otherwise?: 'expected'
  /** The name without the ending of a reason or a score, to match reasons and scores. */
  stem?: string
  /** The evaluator, if the name has other parts too. */
  key?: string
  /** Whether the column names what was compared only if each question occurs once per value. */
  needsPairs?: boolean
}

/** Output columns of this rank and higher are equal if their ranks are. */
export const UNORDERED_RANK = 2
/** Names from `label` on also occur in files without outputs. */
export const UNCERTAIN_RANK = 3.03

/** What a column name means by itself, also without text in parentheses. Undefined if it means nothing. */
export function meaningOf(name: string): NameMeaning | undefined {
  return (
    memberMeaning(name) ??
    meaningOfWords(name) ??
    (/\(.*\)/s.test(name) ? meaningOfWords(name.replace(/\(.*\)/s, '')) : undefined)
  )
}

/** The meaning of `scores.helpful`, a member of an object with one score per member, and of `judge_a.score`. */
function memberMeaning(name: string): NameMeaning | undefined {
  const dot = name.lastIndexOf('.')
  if (dot < 1) return undefined
  const [group, member] = [name.slice(0, dot), name.slice(dot + 1)]
  const ofJudge = isJudge(group)
  if (!ofJudge && !isScoreGroup(group)) return undefined
  const own = meaningOfWords(member)
  const groupStem = splitWords(group).join(' ')
  const key = ofJudge && JUDGMENT_MEMBERS.includes(member) ? group : member
  const stem = key === group ? groupStem : splitWords(member).join(' ')
  if (ofJudge && own?.role === 'reason') return { ...own, stem: groupStem }
  if (own && ['cost', 'latency', 'extra', 'reason', 'error', 'note'].includes(own.role)) return own
  // A judge has members such as `model` too.
  if (ofJudge && key !== group && !isScoreGroup(group)) return { role: 'extra', rank: 1 }
  return { role: 'score', rank: 0, isVerdict: own?.isVerdict ?? false, unit: own?.unit, stem, key }
}

/** Whether objects in this column have one score per member. */
export function isScoreGroup(name: string): boolean {
  return SCORE_GROUPS.includes(splitWords(name).join(' '))
}

/** Whether objects in this column describe what one judge decided, and why. */
export function isJudge(name: string): boolean {
  return /^(llm )?(judge|grader)\b/.test(splitWords(name).join(' '))
}

/** Whether this column can contain the messages of a conversation, with the output as the last one. */
export function isConversation(name: string): boolean {
  return CHAT_NAMES.includes(splitWords(name).join(' '))
}

/** The name that pandas gives to a column without a name. */
const UNNAMED = /^unnamed( \d+)+$/
/** Numbers of things, such as `num_passed`, are not scores. */
const COUNT = /^(num|n|number of|count|total) (?!score|rating|points)/

function meaningOfWords(name: string): NameMeaning | undefined {
  const words = splitWords(name)
  const unit = words.length > 1 ? unitOf(words.at(-1) ?? '') : undefined
  const full = words.join(' ')
  const stem = unit ? words.slice(0, words.at(-2) === 'in' ? -2 : -1).join(' ') : full
  return (
    findExact(full, 'id') ??
    findExact(full, 'repetition') ??
    findExact(full, 'extra') ??
    findExact(full, 'note') ??
    providerMeaning(full) ??
    measurementMeaning(stem, unit) ??
    (UNNAMED.test(full) || COUNT.test(full) ? { role: 'extra' as const, rank: 1 } : undefined) ??
    findEnding(full, 'reason') ??
    expectedMeaning(full) ??
    scoreMeaning(stem, unit) ??
    findEnding(full, 'error') ??
    findExact(full, 'input') ??
    outputMeaning(full, words) ??
    findEnding(full, 'extra') ??
    (words[0] === 'timestamp' ? { role: 'extra' as const, rank: 1 } : undefined) ??
    findEnding(full, 'input') ??
    findEnding(full, 'note') ??
    judgeMeaning(stem, unit)
  )
}

function unitOf(word: string): string | undefined {
  return Object.entries(UNITS).find(([, words]) => words.includes(word))?.[0]
}

function providerMeaning(full: string): NameMeaning | undefined {
  const index = SYSTEM_NAMES.indexOf(full)
  return (
    findExact(full, 'provider') ??
    (index === -1 ? undefined : { role: 'provider', rank: 1 + index / 100, needsPairs: true })
  )
}

/** The words of a name in lower case, whatever its style is. */
export function splitWords(name: string): string[] {
  const spaced = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll('%', ' percent ')
    .replaceAll('$', ' usd ')
    .replaceAll('µ', 'u')
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function findExact(full: string, role: keyof typeof COLUMN_NAMES): NameMeaning | undefined {
  const index = COLUMN_NAMES[role].indexOf(full)
  return index === -1 ? undefined : { role, rank: index / 100 }
}

/** The first of these endings. */
function endsWith(full: string, endings: readonly string[]): string | undefined {
  return endings.find((ending) => full === ending || full.endsWith(` ${ending}`))
}

function findEnding(
  full: string,
  role: 'reason' | 'error' | 'extra' | 'input' | 'note',
): NameMeaning | undefined {
  const ending = endsWith(full, NAME_ENDINGS[role])
  if (ending === undefined) return undefined
  return { role, rank: full === ending ? 0 : 1, stem: full.slice(0, -ending.length).trim() }
}

function measurementMeaning(stem: string, unit: string | undefined): NameMeaning | undefined {
  for (const role of ['cost', 'latency'] as const) {
    const hasTimeUnit = role === 'latency' && /\btime$/.test(stem) && /^(ms|us|s|min)$/.test(unit ?? '')
    if (endsWith(stem, NAME_ENDINGS[role]) === undefined && !hasTimeUnit) continue
    // The cost of a part is not the cost of the output.
    const isPart = /^(input|output|prompt|completion|expected|max|min|avg|average|mean)\b/.test(stem)
    if (isPart || unit === 'other') return { role: 'extra', rank: 1 }
    const rank = stem === role ? 0 : /^total\b/.test(stem) ? 1 : stem.endsWith(role) ? 2 : 3
    return { role, rank, unit }
  }
  return undefined
}

function expectedMeaning(full: string): NameMeaning | undefined {
  const isExpected =
    EXPECTED_STARTS.some((start) => full.startsWith(`${start} `)) ||
    REFERENCE_NAME.test(full) ||
    / (attendue?|esperad[ao])$/.test(full)
  const isMetric =
    endsWith(full, NAME_ENDINGS.score) !== undefined && !/^(expected score|gold verdict)$/.test(full)
  if (isExpected && !isMetric) return { role: 'expected', rank: 1 }
  return findExact(full, 'expected')
}

function scoreMeaning(stem: string, unit: string | undefined): NameMeaning | undefined {
  // rouge_l, pass@1, precision@k, bleu-4
  const name = stem.replace(/( (\d+|k|l|lsum))+$/, '')
  const isVerdict = VERDICT_ENDINGS.includes(name.slice(name.lastIndexOf(' ') + 1))
  // chrF has two words.
  const ending = endsWith(name, NAME_ENDINGS.score) ?? endsWith(name.replaceAll(' ', ''), NAME_ENDINGS.score)
  const start = /^(score|metric|rating|eval) (?!(?:name|id|type|date|time|model|set|version)$)(.+)$/.exec(
    name,
  )?.[2]
  const base = { role: 'score', rank: 0, unit, isVerdict } as const
  if (ending !== undefined) return { ...base, stem: name.slice(0, -ending.length).trim() || name }
  if (start !== undefined) return { ...base, stem: start }
  const weakEnding = endsWith(name, NAME_ENDINGS.weakScore)
  return weakEnding === undefined ? undefined : { ...base, isWeak: true, stem: name }
}

/** The rest of the name can be anything, so only the values show whether it is a score. */
function judgeMeaning(stem: string, unit: string | undefined): NameMeaning | undefined {
  const judge = JUDGES.find((name) => stem.startsWith(`${name} `))
  return judge === undefined ? undefined : { role: 'score', rank: 1, unit, isNumeric: true, stem }
}

function outputMeaning(full: string, words: readonly string[]): NameMeaning | undefined {
  const exact = findExact(full, 'output')
  if (exact) return exact
  const ambiguous = AMBIGUOUS_NAMES.indexOf(full)
  if (ambiguous !== -1) {
    const otherwise = ANSWER_NAMES.includes(full) ? ({ otherwise: 'expected' } as const) : {}
    return { role: 'output', rank: 3 + ambiguous / 100, ...otherwise }
  }
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length < 2 || RECEIVED_STARTS.includes(first)) return undefined
  if (words.length === 2 && MAKERS.includes(first) && MADE_THINGS.includes(last))
    return { role: 'output', rank: 1 }
  // fine_tuned_model_answer
  const [maker = '', thing = ''] = words.slice(-2)
  if (words.length > 2 && MAKERS.includes(maker) && MADE_THINGS.includes(thing))
    return { role: 'output', rank: UNORDERED_RANK }
  if (/^(predicted|actual|generated) /.test(full)) return { role: 'output', rank: UNORDERED_RANK }
  if (endsWith(full, NAME_ENDINGS.output) !== undefined) return { role: 'output', rank: UNORDERED_RANK }
  if (last === 'answer') return { role: 'output', rank: 4 }
  // response_a, answer_gpt4
  const isNumbered =
    /^(output|response|answer|prediction|completion) /.test(full) &&
    !DESCRIPTIONS.some((ending) => full.endsWith(ending))
  return isNumbered ? { role: 'output', rank: 5 } : undefined
}

// What a revision changed, in words: one short phrase a parameter, with the values where they are short.
import type { RevisionDiff } from 'assay-client'
import { count, counted } from '../format/numbers.ts'
import { parametersOf, valueAt } from '../revision/paths.ts'
import { wordsOf } from '../revision/value-words.ts'
import type { Revision } from './questions.ts'

interface Phrase {
  /** The parameter; undefined where it is about the whole revision. */
  path?: string
  words: string
}

export interface Changed {
  phrases: Phrase[]
  /** How many changes there are beyond the phrases. */
  more: number
}

type Change = NonNullable<Revision['changes']>['changes'][number]

const LONGEST_VALUE = 40

/** `before` is the revision that it is compared with. */
export function changesOf(revision: Revision, before: Revision | undefined): Changed {
  const { changes, config } = revision
  if (!changes) {
    const words = `created with ${counted(parametersOf(config.parameters).length, 'parameter')}`
    return { phrases: [{ words }], more: 0 }
  }
  const [old, now] = [before?.config.parameters, config.parameters]
  return changedIn(changes, ({ path, old_path }) => [valueAt(old, old_path ?? path), valueAt(now, path)])
}

/** What differs between any two revisions of a variant. */
export function changesBetween(difference: RevisionDiff): Changed {
  return changedIn(difference, (change) => [change.old, change.new])
}

type ParameterChanges = Pick<RevisionDiff, 'change_count' | 'config_name'>

function changedIn<Found extends Change>(
  changes: ParameterChanges & { changes: Found[] },
  valuesOf: (change: Found) => [old: unknown, now: unknown],
): Changed {
  const phrases = changes.changes.map((change) => ({
    path: change.path,
    words: wordsOfChange(change, valuesOf(change)),
  }))
  const { config_name: names } = changes
  const renamed = names && `renamed ${wordsOf(names.old)} → ${wordsOf(names.new)}`
  if (changes.change_count === 0) {
    const words = `no parameter changed${renamed ? ` (${renamed})` : ''}`
    return { phrases: [{ words }], more: 0 }
  }
  return {
    phrases: [...phrases, ...(renamed ? [{ words: renamed }] : [])],
    more: changes.change_count - changes.changes.length,
  }
}

function wordsOfChange({ old_path, kind, lines }: Change, [old, now]: [unknown, unknown]): string {
  if (kind === 'moved') return `moved from ${old_path}`
  if (lines) return `${kind === 'changed' ? '' : `${kind} `}${wordsOfLines(lines)}`
  if (kind === 'added') return `added ${short(now)}`
  if (kind === 'removed') return `removed, was ${short(old)}`
  // Numbers with more digits than a double has may look the same here.
  if (wordsOf(old) === wordsOf(now)) return 'changed'
  return `${short(old)} → ${short(now)}`
}

/** "+2 −28 lines" */
function wordsOfLines({ added, removed }: { added: number; removed: number }): string {
  const sides = [added > 0 && `+${count(added)}`, removed > 0 && `−${count(removed)}`].filter(Boolean)
  if (sides.length === 0) return 'changed'
  return `${sides.join(' ')} ${added + removed === 1 ? 'line' : 'lines'}`
}

function short(value: unknown): string {
  // More digits than a double has; the page of the revision has all of them.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `≈ ${value.toPrecision(4)}`
  const words = wordsOf(value)
  return words.length > LONGEST_VALUE ? `${words.slice(0, LONGEST_VALUE)}…` : words
}

/** What the filter of the list looks through. */
export function searchedText(revision: Revision, { phrases }: Changed): string {
  const changed = phrases.map(({ path = '', words }) => `${path} ${words}`)
  return [`r${revision.revision}`, revision.modified_by, revision.config.config_name, ...changed]
    .join('\n')
    .toLowerCase()
}

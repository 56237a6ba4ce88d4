// Short texts about what a revision changed: one per parameter, with truncated values.
import type { RevisionDiff } from 'assay-client'
import { formatCount, pluralize } from '../format/numbers.ts'
import type { Revision } from '../queries/variants.ts'
import { parametersOf, valueAt } from './parameter-paths.ts'
import { valueLabel } from './value-labels.ts'

interface ChangeLabel {
  /** Path of the parameter; undefined if the text is about the whole revision. */
  path?: string
  text: string
}

export interface ChangeLabels {
  labels: ChangeLabel[]
  /** Number of further changes without a label. */
  more: number
}

type Change = NonNullable<Revision['changes']>['changes'][number]

const MAX_VALUE_LENGTH = 40

/** `before` is the revision to compare with. */
export function changeLabelsOf(revision: Revision, before: Revision | undefined): ChangeLabels {
  const { changes, config } = revision
  if (!changes) {
    const text = `created with ${pluralize(parametersOf(config.parameters).length, 'parameter')}`
    return { labels: [{ text }], more: 0 }
  }
  const [old, now] = [before?.config.parameters, config.parameters]
  return changeLabelsIn(changes, ({ path, old_path }) => [valueAt(old, old_path ?? path), valueAt(now, path)])
}

/** Changes between any two revisions of a variant. */
export function changeLabelsBetween(difference: RevisionDiff): ChangeLabels {
  return changeLabelsIn(difference, (change) => [change.old, change.new])
}

type ParameterChanges = Pick<RevisionDiff, 'change_count' | 'config_name'>

function changeLabelsIn<Item extends Change>(
  changes: ParameterChanges & { changes: Item[] },
  valuesOf: (change: Item) => [old: unknown, now: unknown],
): ChangeLabels {
  const labels = changes.changes.map((change) => ({
    path: change.path,
    text: changeText(change, valuesOf(change)),
  }))
  const { config_name: names } = changes
  const renamed = names && `renamed ${valueLabel(names.old)} → ${valueLabel(names.new)}`
  if (changes.change_count === 0) {
    const text = `no parameter changed${renamed ? ` (${renamed})` : ''}`
    return { labels: [{ text }], more: 0 }
  }
  return {
    labels: [...labels, ...(renamed ? [{ text: renamed }] : [])],
    more: changes.change_count - changes.changes.length,
  }
}

function changeText({ old_path, kind, lines }: Change, [old, now]: [unknown, unknown]): string {
  if (kind === 'moved') return `moved from ${old_path}`
  if (lines) return `${kind === 'changed' ? '' : `${kind} `}${lineCountText(lines)}`
  if (kind === 'added') return `added ${shortValue(now)}`
  if (kind === 'removed') return `removed, was ${shortValue(old)}`
  // Numbers that differ only beyond the precision of a double have the same label.
  if (valueLabel(old) === valueLabel(now)) return 'changed'
  return `${shortValue(old)} → ${shortValue(now)}`
}

/** "+2 −28 lines" */
function lineCountText({ added, removed }: { added: number; removed: number }): string {
  const sides = [added > 0 && `+${formatCount(added)}`, removed > 0 && `−${formatCount(removed)}`].filter(
    Boolean,
  )
  if (sides.length === 0) return 'changed'
  return `${sides.join(' ')} ${added + removed === 1 ? 'line' : 'lines'}`
}

function shortValue(value: unknown): string {
  // Digits beyond the precision of a double are wrong here; the revision page shows the exact number.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `≈ ${value.toPrecision(4)}`
  const label = valueLabel(value)
  return label.length > MAX_VALUE_LENGTH ? `${label.slice(0, MAX_VALUE_LENGTH)}…` : label
}

/** The text that the revision filter searches. */
export function searchText(revision: Revision, { labels }: ChangeLabels): string {
  const changed = labels.map(({ path = '', text }) => `${path} ${text}`)
  return [`r${revision.revision}`, revision.modified_by, revision.config.config_name, ...changed]
    .join('\n')
    .toLowerCase()
}

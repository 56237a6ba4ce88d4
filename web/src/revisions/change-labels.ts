// Short texts about what a revision changed: one per parameter, with truncated values.
import type { RevisionDiff } from 'assay-client'
import { formatCount, pluralize } from '../format/numbers.ts'
import type { Revision } from '../queries/variants.ts'
import { parametersOf, valueAt } from './parameters/parameter-paths.ts'
import { valueLabel } from './parameters/value-labels.ts'

interface ChangeLabel {
  /** Path of the parameter; undefined if the label is about the whole revision. */
  path?: string
  /** What changed, or the old value if there is a new one. */
  text: string
  newText?: string
}

export interface ChangeLabels {
  labels: ChangeLabel[]
  /** Number of further changes without a label. */
  more: number
}

type Change = NonNullable<Revision['changes']>['changes'][number]

const MAX_VALUE_LENGTH = 40

export function changeLabelsOf(revision: Revision, previousRevision: Revision | undefined): ChangeLabels {
  const { changes, config } = revision
  if (!changes) {
    const text = `created with ${pluralize(parametersOf(config.parameters).length, 'parameter')}`
    return { labels: [{ text }], more: 0 }
  }
  const [oldParameters, newParameters] = [previousRevision?.config.parameters, config.parameters]
  return changeLabelsIn(changes, ({ path, old_path }) => [
    valueAt(oldParameters, old_path ?? path),
    valueAt(newParameters, path),
  ])
}

/** Changes between any two revisions of a variant. */
export function changeLabelsBetween(diff: RevisionDiff): ChangeLabels {
  return changeLabelsIn(diff, (change) => [change.old, change.new])
}

type ParameterChanges = Pick<RevisionDiff, 'change_count' | 'config_name'>

function changeLabelsIn<Item extends Change>(
  changes: ParameterChanges & { changes: Item[] },
  valuesOf: (change: Item) => [oldValue: unknown, newValue: unknown],
): ChangeLabels {
  const labels = changes.changes.map((change) => ({
    path: change.path,
    ...changeText(change, valuesOf(change)),
  }))
  const { config_name: names } = changes
  const renaming: ChangeLabel[] = names
    ? [{ text: `renamed ${valueLabel(names.old)}`, newText: valueLabel(names.new) }]
    : []
  const unchanged: ChangeLabel[] = changes.change_count === 0 ? [{ text: 'no parameter changed' }] : []
  return {
    labels: [...unchanged, ...labels, ...renaming],
    more: changes.change_count - changes.changes.length,
  }
}

function changeText(
  { old_path, kind, lines }: Change,
  [oldValue, newValue]: [unknown, unknown],
): Pick<ChangeLabel, 'text' | 'newText'> {
  if (kind === 'moved') return { text: `moved from ${old_path}` }
  if (lines) return { text: `${kind === 'changed' ? '' : `${kind} `}${lineCountText(lines)}` }
  if (kind === 'added') return { text: `added ${shortValue(newValue)}` }
  if (kind === 'removed') return { text: `removed, was ${shortValue(oldValue)}` }
  // Numbers that differ only beyond the precision of a double have the same label.
  if (valueLabel(oldValue) === valueLabel(newValue)) return { text: 'changed' }
  return { text: shortValue(oldValue), newText: shortValue(newValue) }
}

/** "+2 −28 lines" */
function lineCountText({ added, removed }: { added: number; removed: number }): string {
  const counts = [added > 0 && `+${formatCount(added)}`, removed > 0 && `−${formatCount(removed)}`].filter(
    Boolean,
  )
  if (counts.length === 0) return 'changed'
  return `${counts.join(' ')} ${added + removed === 1 ? 'line' : 'lines'}`
}

function shortValue(value: unknown): string {
  // Digits beyond the precision of a double are wrong here; the revision page shows the exact number.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `≈ ${value.toPrecision(4)}`
  const label = valueLabel(value)
  return label.length > MAX_VALUE_LENGTH ? `${label.slice(0, MAX_VALUE_LENGTH)}…` : label
}

/** "max_tokens 1200 to 220" */
export function plainText({ path, text, newText }: ChangeLabel): string {
  return [path, text, newText !== undefined && `to ${newText}`].filter(Boolean).join(' ')
}

/** The text that the revision filter searches. */
export function searchText(revision: Revision, { labels }: ChangeLabels): string {
  const { modified_by, config, message } = revision
  return [`r${revision.revision}`, modified_by, config.config_name, message, ...labels.map(plainText)]
    .join('\n')
    .toLowerCase()
}

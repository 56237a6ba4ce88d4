// What differs, then what does not where somebody wants to see it; and in words where there is nothing to list.
import type { RevisionDiff } from 'assay-client'
import { useMemo } from 'react'
import { counted } from '../format/numbers.ts'
import { ChangeItems } from '../revision/change-items.tsx'
import { Parameters } from '../revision/parameters.tsx'
import shared from '../revision/revision.module.css'
import { unchangedOf } from '../revision/unchanged.ts'
import type { ShownDiff } from './shown.ts'
import type { View } from './view.ts'

interface ChangeListProps {
  shown: ShownDiff
  view: View
  difference: RevisionDiff
  /** The parameters of both, with exact numbers. */
  before: unknown
  after: unknown
}

export function ChangeList({ shown, view, difference, before, after }: ChangeListProps) {
  const { changes } = shown
  const unchanged = useMemo(() => unchangedOf(after, difference, changes), [after, difference, changes])
  const words = wordsFor(shown, difference)
  return (
    <>
      <section className={shared.section} aria-label="Changes">
        {words && <p>{words}</p>}
        <ChangeItems difference={difference} changes={changes} before={before} after={after} layout={view} />
      </section>
      {unchanged.length > 0 && (
        <section className={shared.section} aria-labelledby="unchanged">
          <div className={shared.line}>
            <h2 id="unchanged">{counted(unchanged.length, 'parameter')} unchanged</h2>
            {!view.isWhole && (
              <button type="button" onClick={view.switchWhole}>
                Show
              </button>
            )}
          </div>
          {view.isWhole && <Parameters parameters={unchanged} />}
        </section>
      )}
    </>
  )
}

/** Undefined where the list says it all. */
function wordsFor({ old, now, changes }: ShownDiff, { change_count }: RevisionDiff): string | undefined {
  if (old.number === now.number) return `Identical: r${old.number} is compared with itself.`
  if (change_count === 0) return 'No parameter changed.'
  if (changes.length === 0) return 'Nothing but white space changed.'
  return undefined
}

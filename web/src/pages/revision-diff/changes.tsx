// Changed parameters of two revisions, and the unchanged ones if requested; or a text if nothing changed.
import type { RevisionDiff } from 'assay-client'
import { useMemo } from 'react'
import { pluralize } from '../../format/numbers.ts'
import { ChangeList } from '../../revisions/change-list.tsx'
import { unchangedOf } from '../../revisions/parameters/parameter-paths.ts'
import { ParameterTable } from '../../revisions/parameters/parameter-table.tsx'
import shared from '../../revisions/revisions.module.css'
import type { RevisionDiffParams } from './page-params.ts'
import type { RevisionDiffState } from './page-state.ts'

interface ChangesProps {
  state: RevisionDiffState
  params: RevisionDiffParams
  diff: RevisionDiff
  /** The parameters of the old and the new revision. Numbers keep all their digits. */
  oldParameters: unknown
  newParameters: unknown
}

export function Changes({ state, params, diff, oldParameters, newParameters }: ChangesProps) {
  const { changes } = state
  const unchangedParameters = useMemo(
    () => unchangedOf(newParameters, diff, changes),
    [newParameters, diff, changes],
  )
  const text = emptyText(state, diff)
  return (
    <>
      <section className={shared.section} aria-label="Changes">
        {text && <p>{text}</p>}
        <ChangeList
          diff={diff}
          changes={changes}
          oldParameters={oldParameters}
          newParameters={newParameters}
          layout={params}
        />
      </section>
      {unchangedParameters.length > 0 && (
        <section className={shared.section} aria-labelledby="unchanged">
          <div className={shared.line}>
            <h2 id="unchanged">{pluralize(unchangedParameters.length, 'parameter')} unchanged</h2>
            {!params.showsUnchanged && (
              <button type="button" onClick={params.toggleUnchanged}>
                Show
              </button>
            )}
          </div>
          {params.showsUnchanged && <ParameterTable parameters={unchangedParameters} />}
        </section>
      )}
    </>
  )
}

/** Undefined if there are changes to list. */
function emptyText(
  { from, to, changes }: RevisionDiffState,
  { change_count }: RevisionDiff,
): string | undefined {
  if (from.number === to.number) return `Identical: r${from.number} is compared with itself.`
  if (change_count === 0) return 'No parameter changed.'
  if (changes.length === 0) return 'Only whitespace changed.'
  return undefined
}

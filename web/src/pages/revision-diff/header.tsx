// Header of the revision diff: breadcrumb, pickers for the two revisions, number of changes, and actions.
import { formatCount, pluralize } from '../../format/numbers.ts'
import { Breadcrumb } from '../../revisions/breadcrumb.tsx'
import variantStyles from '../../revisions/header.module.css'
import { ViewActions } from '../../share/view-actions.tsx'
import styles from './page.module.css'
import type { RevisionDiffParams } from './page-params.ts'
import type { RevisionDiffState } from './page-state.ts'
import { RevisionPickers } from './revision-pickers.tsx'

export function Header({ state, params }: { state: RevisionDiffState; params: RevisionDiffParams }) {
  const { id, variant, from, to } = state
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions/${from.number}/diff/${to.number}`,
    client: `diffVariantRevisions(${JSON.stringify(id)}, ${from.number}, ${to.number})`,
  }
  return (
    <header className={variantStyles.header}>
      <div className={variantStyles.title}>
        <Breadcrumb id={id} name={variant?.name} />
        <h1>
          Diff
          <span className="sr-only">
            {' '}
            of r{from.number} and r{to.number}
          </span>
        </h1>
        <RevisionPickers state={state} />
        <span role="status" className={styles.count}>
          {changeCountText(state)}
        </span>
      </div>
      <div className={variantStyles.tools}>
        <ViewActions link={() => ({ link: params.link() })} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** "2 of 9 parameters changed, 1 only in whitespace" */
function changeCountText({ diff, changes }: RevisionDiffState): string {
  if (!diff) return ''
  const { change_count, parameter_count } = diff
  const ignoredCount = diff.changes.length - changes.length
  const changedCount = change_count - ignoredCount
  const text = `${changedCount === 0 ? 'none' : formatCount(changedCount)} of ${pluralize(parameter_count, 'parameter')} changed`
  return ignoredCount === 0 ? text : `${text}, ${formatCount(ignoredCount)} only in whitespace`
}

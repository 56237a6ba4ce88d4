// Which two revisions of which variant these are, who made them, and how much differs.
import { count, counted } from '../format/numbers.ts'
import { ViewActions } from '../parts/view-actions.tsx'
import { Crumb } from '../variant/crumb.tsx'
import variantStyles from '../variant/variant.module.css'
import styles from './page.module.css'
import { Pickers } from './pickers.tsx'
import type { ShownDiff } from './shown.ts'
import type { View } from './view.ts'

export function Head({ shown, view }: { shown: ShownDiff; view: View }) {
  const { id, variant, old, now } = shown
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions/${old.number}/diff/${now.number}`,
    client: `diffVariantRevisions(${JSON.stringify(id)}, ${old.number}, ${now.number})`,
  }
  return (
    <header className={variantStyles.head}>
      <div className={variantStyles.title}>
        <Crumb id={id} name={variant?.name} />
        <h1>
          Diff
          <span className="unseen">
            {' '}
            of r{old.number} and r{now.number}
          </span>
        </h1>
        <Pickers shown={shown} />
        <span role="status" className={styles.count}>
          {wordsOf(shown)}
        </span>
      </div>
      <div className={variantStyles.tools}>
        <ViewActions link={() => ({ link: view.link() })} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** "2 of 9 parameters changed, 1 more in white space alone" */
function wordsOf({ difference, changes }: ShownDiff): string {
  if (!difference) return ''
  const { change_count, parameter_count } = difference
  const ignored = difference.changes.length - changes.length
  const changed = change_count - ignored
  const said = `${changed === 0 ? 'none' : count(changed)} of ${counted(parameter_count, 'parameter')} changed`
  return ignored === 0 ? said : `${said}, ${count(ignored)} in white space alone`
}

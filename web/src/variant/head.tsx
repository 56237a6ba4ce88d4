// What the variant is, and what can be done with its history as a whole.
import { useChangeSearch } from '../change-search.ts'
import type { ViewLink } from '../evaluation/view-link.ts'
import { count, counted } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { ListCrumb } from '../parts/list-crumb.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { ViewActions } from '../parts/view-actions.tsx'
import type { History } from './history.ts'
import { INCLUDE } from './questions.ts'
import styles from './variant.module.css'

export function Head({ history }: { history: History }) {
  const { id, variant, revisions, entries, filter } = history
  const change = useChangeSearch()
  const latest = revisions?.at(-1)
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions?include=${INCLUDE}`,
    client: `listVariantRevisions(${JSON.stringify(id)}, { include: '${INCLUDE}' })`,
  }
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <nav aria-label="Breadcrumb">
          <ListCrumb to="/variants" />
        </nav>
        <h1>
          <bdi>{variant?.name ?? id}</bdi>
        </h1>
        {revisions && (
          <span className="soft">
            {counted(revisions.length, 'revision')}
            {latest && (
              <>
                {' · '}latest r{latest.revision} by <bdi>{latest.modified_by}</bdi>,{' '}
                <Ago time={latest.created_at} />
              </>
            )}
          </span>
        )}
        <SearchField
          text={filter}
          onText={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
          label="Filter revisions"
          placeholder="/ filter revisions"
          className={styles.filter}
        />
        {filter !== '' && revisions && (
          <span role="status" className="soft">
            {count(entries.length)} of {count(revisions.length)}
          </span>
        )}
      </div>
      <div className={styles.tools}>
        <ViewActions link={() => linkTo(history)} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** Says what is measured also where nobody chose it, so that whoever opens it sees the same. */
function linkTo({ measure }: History): ViewLink {
  const url = new URL(location.pathname + location.search, location.origin)
  if (measure?.search.on !== undefined) url.searchParams.set('on', measure.search.on)
  return { link: url.href }
}

// Header of the variant page: name, latest revision, filter and actions.

import { formatCount, pluralize } from '../../format/numbers.ts'
import { ListCrumb } from '../../navigation/list-crumb.tsx'
import { REVISION_INCLUDE } from '../../queries/variants.ts'
import { FilterField } from '../../revisions/filter-field.tsx'
import styles from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import type { ViewLink } from '../../share/view-link.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { History } from './history.ts'

export function Header({ history }: { history: History }) {
  const { id, variant, revisions, entries, filter } = history
  const latestRevision = revisions?.at(-1)
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions?include=${REVISION_INCLUDE}`,
    client: `listVariantRevisions(${JSON.stringify(id)}, { include: '${REVISION_INCLUDE}' })`,
  }
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <nav aria-label="Breadcrumb">
          <ListCrumb to="/variants" />
        </nav>
        <h1>
          <bdi>{variant?.name ?? id}</bdi>
        </h1>
        {revisions && (
          <span className="muted">
            {pluralize(revisions.length, 'revision')}
            {latestRevision && (
              <>
                {' · '}latest r{latestRevision.revision} by <bdi>{latestRevision.modified_by}</bdi>,{' '}
                <TimeAgo time={latestRevision.created_at} />
              </>
            )}
          </span>
        )}
        <FilterField text={filter} label="Filter revisions" />
        {filter !== '' && revisions && (
          <span role="status" className="muted">
            {formatCount(entries.length)} of {formatCount(revisions.length)}
          </span>
        )}
      </div>
      <div className={styles.tools}>
        <ShareMenu link={() => linkTo(history)} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** Adds the selected metric even if it is the default, so that the link always opens the same view. */
function linkTo({ metric }: History): ViewLink {
  const url = new URL(location.pathname + location.search, location.origin)
  if (metric?.search.on !== undefined) url.searchParams.set('on', metric.search.on)
  return { link: url.href }
}

// Header of the variant page: name, the button that compares revisions, and the share menu.
import { GitCompareArrows } from 'lucide'
import { ListCrumb } from '../../navigation/links.tsx'
import { REVISION_INCLUDE } from '../../queries/variants.ts'
import styles from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import type { ViewLink } from '../../share/view-link.ts'
import { Button } from '../../ui/button.tsx'
import { diffPair, newestPair } from './diff-pair.ts'
import type { History } from './history.ts'
import type { Selection } from './selection.ts'

export function Header({ history, selection }: { history: History; selection: Selection }) {
  const { id, variant } = history
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
      </div>
      <div className={styles.tools}>
        <CompareButton history={history} selection={selection} />
        <ShareMenu link={() => linkTo(history)} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** Opens the diff of the selected revisions, or else of the newest two that were evaluated. */
function CompareButton({
  history: { revisions = [] },
  selection,
}: {
  history: History
  selection: Selection
}) {
  const pair = diffPair(revisions, selection.numbers) ?? newestPair(revisions)
  return (
    <Button
      variant="primary"
      icon={GitCompareArrows}
      tooltip={
        pair
          ? `Show what changed from r${pair[0]} to r${pair[1]}. Select revisions to compare others.`
          : 'A comparison needs two revisions.'
      }
      aria-disabled={!pair}
      onClick={() => pair && selection.openDiff(pair)}
    >
      Compare revisions
    </Button>
  )
}

/** Adds the selected metric even if it is the default, so that the link always opens the same view. */
function linkTo({ metric }: History): ViewLink {
  const url = new URL(location.pathname + location.search, location.origin)
  if (metric?.search.on !== undefined) url.searchParams.set('on', metric.search.on)
  return { link: url.href }
}

// Header of the revision page: breadcrumb, author and time, links to adjacent revisions, and actions.
import { Link } from '@tanstack/react-router'
import { RevisionLink } from '../../navigation/revision-link.tsx'
import type { Revision } from '../../queries/variants.ts'
import { Breadcrumb } from '../../revisions/breadcrumb.tsx'
import shared from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import { Menu } from '../../ui/menu.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { RevisionState } from './page-state.ts'

export function Header({ state }: { state: RevisionState }) {
  const { variantId, revisionNumber, variant, revision, previousRevision, nextRevision } = state
  const call = {
    path: `/api/variants/${encodeURIComponent(variantId)}/revisions/${revisionNumber}`,
    client: `getVariantRevision(${JSON.stringify(variantId)}, ${revisionNumber})`,
  }
  const revisionLink = ({ revision: number }: Revision, rel: 'prev' | 'next') => (
    <RevisionLink variantId={variantId} revision={number} rel={rel} className={shared.adjacent}>
      {rel === 'prev' ? `← r${number}` : `r${number} →`}
    </RevisionLink>
  )
  return (
    <header className={shared.header}>
      <div className={shared.title}>
        <Breadcrumb id={variantId} name={variant?.name} />
        <h1>Revision {revisionNumber}</h1>
        {revision && (
          <span className="muted">
            by <bdi>{revision.modified_by}</bdi>, <TimeAgo time={revision.created_at} /> ·{' '}
            <bdi>{revision.config.config_name}</bdi>
            {revision.message && (
              <>
                {' · '}
                <q>{revision.message}</q>
              </>
            )}
          </span>
        )}
      </div>
      <div className={shared.tools}>
        <nav aria-label="Adjacent revisions" className={shared.tools}>
          {previousRevision && revisionLink(previousRevision, 'prev')}
          {nextRevision && revisionLink(nextRevision, 'next')}
        </nav>
        <DiffMenu state={state} />
        <ShareMenu
          link={() => ({ link: location.origin + location.pathname })}
          confined_to={{ variant_id: variantId }}
          call={call}
        />
      </div>
    </header>
  )
}

/** Links to the diffs with all other revisions. */
function DiffMenu({ state: { variantId, revisionNumber, revisions = [] } }: { state: RevisionState }) {
  const otherRevisions = revisions.filter(({ revision }) => revision !== revisionNumber).toReversed()
  if (otherRevisions.length === 0) return null
  return (
    <Menu label="Diff with" title="Diff with another revision">
      <div className="options">
        {otherRevisions.map(({ revision, config }) => (
          <Link
            key={revision}
            to="/variants/$variantId/revisions/$from/diff/$to"
            // The older revision always comes first.
            params={{
              variantId,
              from: String(Math.min(revisionNumber, revision)),
              to: String(Math.max(revisionNumber, revision)),
            }}
            preload={false}
            className={shared.revisionOption}
          >
            r{revision} <bdi className="muted">{config.config_name}</bdi>
          </Link>
        ))}
      </div>
    </Menu>
  )
}

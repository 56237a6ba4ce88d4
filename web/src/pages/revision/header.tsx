// Header of the revision page: breadcrumb, message, author and time, links to adjacent revisions, and actions.
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, GitCompareArrows } from 'lucide'
import { Breadcrumb, RevisionLink } from '../../navigation/links.tsx'
import type { Revision } from '../../queries/variants.ts'
import shared from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItems, menuItemClass } from '../../ui/menus/menu.tsx'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { RevisionState } from './page-state.ts'

export function Header({ state }: { state: RevisionState }) {
  const { variantId, revisionNumber, variant, previousRevision, nextRevision } = state
  const call = {
    path: `/api/variants/${encodeURIComponent(variantId)}/revisions/${revisionNumber}`,
    client: `getVariantRevision(${JSON.stringify(variantId)}, ${revisionNumber})`,
  }
  const revisionLink = ({ revision: number }: Revision, rel: 'prev' | 'next') => (
    <RevisionLink variantId={variantId} revision={number} rel={rel} className={shared.adjacent}>
      {rel === 'prev' && <Icon icon={ChevronLeft} size={14} />}r{number}
      {rel === 'next' && <Icon icon={ChevronRight} size={14} />}
    </RevisionLink>
  )
  return (
    <>
      <header className={shared.header}>
        <div className={shared.title}>
          <Breadcrumb id={variantId} name={variant?.name} />
          <h1>Revision {revisionNumber}</h1>
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
      <Description revision={state.revision} />
    </>
  )
}

/** The message, the author and the time. */
function Description({ revision }: { revision: Revision | undefined }) {
  if (!revision) {
    return (
      <p className={shared.description}>
        <Skeleton width={60} />
      </p>
    )
  }
  const { message, modified_by, created_at, config } = revision
  return (
    <div className={shared.description}>
      {message && <p className={shared.message}>{message}</p>}
      <p className="quiet">
        by <bdi>{modified_by}</bdi>, <TimeAgo time={created_at} />, configuration{' '}
        <bdi>{config.config_name}</bdi>
      </p>
    </div>
  )
}

/** Links to the diffs with all other revisions. */
function DiffMenu({ state: { variantId, revisionNumber, revisions = [] } }: { state: RevisionState }) {
  const otherRevisions = revisions.filter(({ revision }) => revision !== revisionNumber).toReversed()
  if (otherRevisions.length === 0) return null
  return (
    <Menu
      label="Diff with"
      icon={GitCompareArrows}
      variant="primary"
      title="Diff with another revision"
      align="end"
    >
      <MenuItems>
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
            className={`${menuItemClass} ${shared.revisionOption}`}
          >
            r{revision} <bdi className="quiet">{config.config_name}</bdi>
          </Link>
        ))}
      </MenuItems>
    </Menu>
  )
}

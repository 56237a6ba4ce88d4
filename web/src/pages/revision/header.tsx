// Header of the revision page: breadcrumb, author and time, links to adjacent revisions, and actions.
import { Link } from '@tanstack/react-router'
import { Breadcrumb } from '../../revisions/breadcrumb.tsx'
import shared from '../../revisions/header.module.css'
import { ViewActions } from '../../share/view-actions.tsx'
import { Menu } from '../../ui/menu.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { RevisionState } from './page-state.ts'

export function Header({ state }: { state: RevisionState }) {
  const { id, number, variant, revision, before, after } = state
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions/${number}`,
    client: `getVariantRevision(${JSON.stringify(id)}, ${number})`,
  }
  return (
    <header className={shared.header}>
      <div className={shared.title}>
        <Breadcrumb id={id} name={variant?.name} />
        <h1>Revision {number}</h1>
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
          {before && (
            <RevisionLink id={id} number={before.revision} rel="prev">
              ← r{before.revision}
            </RevisionLink>
          )}
          {after && (
            <RevisionLink id={id} number={after.revision} rel="next">
              r{after.revision} →
            </RevisionLink>
          )}
        </nav>
        <DiffMenu state={state} />
        <ViewActions
          link={() => ({ link: location.origin + location.pathname })}
          confined_to={{ variant_id: id }}
          call={call}
        />
      </div>
    </header>
  )
}

/** Links to the diffs with all other revisions. */
function DiffMenu({ state: { id, number, revisions = [] } }: { state: RevisionState }) {
  const others = revisions.filter(({ revision }) => revision !== number).toReversed()
  if (others.length === 0) return null
  return (
    <Menu label="Diff with" title="Diff with another revision">
      <div className="options">
        {others.map(({ revision, config }) => (
          <Link
            key={revision}
            to="/variants/$variantId/revisions/$from/diff/$to"
            // The older revision always comes first.
            params={{
              variantId: id,
              from: String(Math.min(number, revision)),
              to: String(Math.max(number, revision)),
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

interface RevisionLinkProps {
  id: string
  number: number
  rel: 'prev' | 'next'
  children: React.ReactNode
}

function RevisionLink({ id, number, rel, children }: RevisionLinkProps) {
  return (
    <Link
      to="/variants/$variantId/revisions/$revision"
      params={{ variantId: id, revision: String(number) }}
      rel={rel}
      className={shared.adjacent}
    >
      {children}
    </Link>
  )
}

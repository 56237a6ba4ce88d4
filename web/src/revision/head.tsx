// Which revision of which variant it is, who made it and when, and the ones beside it.
import { Link } from '@tanstack/react-router'
import { Ago } from '../parts/ago.tsx'
import { Menu } from '../parts/menu.tsx'
import { ViewActions } from '../parts/view-actions.tsx'
import { Crumb } from '../variant/crumb.tsx'
import shared from '../variant/variant.module.css'
import type { ShownRevision } from './shown.ts'

export function Head({ shown }: { shown: ShownRevision }) {
  const { id, number, variant, revision, before, after } = shown
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions/${number}`,
    client: `getVariantRevision(${JSON.stringify(id)}, ${number})`,
  }
  return (
    <header className={shared.head}>
      <div className={shared.title}>
        <Crumb id={id} name={variant?.name} />
        <h1>Revision {number}</h1>
        {revision && (
          <span className="soft">
            by <bdi>{revision.modified_by}</bdi>, <Ago time={revision.created_at} /> ·{' '}
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
        <nav aria-label="Revisions beside this one" className={shared.tools}>
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
        <DiffMenu shown={shown} />
        <ViewActions
          link={() => ({ link: location.origin + location.pathname })}
          confined_to={{ variant_id: id }}
          call={call}
        />
      </div>
    </header>
  )
}

/** The way to the diff with any other revision. */
function DiffMenu({ shown: { id, number, revisions = [] } }: { shown: ShownRevision }) {
  const others = revisions.filter(({ revision }) => revision !== number).toReversed()
  if (others.length === 0) return null
  return (
    <Menu label="Diff with" title="What differs from another revision">
      <div className="options">
        {others.map(({ revision, config }) => (
          <Link
            key={revision}
            to="/variants/$variantId/revisions/$from/diff/$to"
            // The older one comes first, whichever is looked at.
            params={{
              variantId: id,
              from: String(Math.min(number, revision)),
              to: String(Math.max(number, revision)),
            }}
            preload={false}
            className={shared.other}
          >
            r{revision} <bdi className="soft">{config.config_name}</bdi>
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
      className={shared.beside}
    >
      {children}
    </Link>
  )
}

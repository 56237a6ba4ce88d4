// Page with all variants, newest first, and a filter by name.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { AssayError, type Variant } from 'assay-client'
import { type ReactNode, useRef } from 'react'
import { FailedPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import { formatCount } from '../../format/numbers.ts'
import { useListShortcuts } from '../../navigation/list-shortcuts.ts'
import { RevisionLink } from '../../navigation/revision-link.tsx'
import { variantsQuery } from '../../queries/variants.ts'
import { FilterField } from '../../revisions/filter-field.tsx'
import { GettingStarted } from '../../revisions/getting-started.tsx'
import shared from '../../revisions/header.module.css'
import { ignoredParams } from '../../state/search-params.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import styles from './variants.module.css'

export function VariantsPage() {
  useDocumentTitle('Variants')
  const search = useSearch({ from: '/variants' })
  const { q: filter = '' } = search
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(
    variantsQuery(filter),
  )
  const variants = data?.pages.flatMap((page) => page.items)
  if (error instanceof AssayError && !variants) return <FailedPage error={error} />
  return (
    <main>
      <header className={shared.header}>
        <div className={shared.title}>
          <h1>Variants</h1>
          {variants && (
            <span role="status" className="muted">
              {hasNextPage ? `the newest ${formatCount(variants.length)}` : formatCount(variants.length)}
            </span>
          )}
          <FilterField text={filter} label="Filter by name" />
        </div>
      </header>
      <IgnoredParams params={ignoredParams(search)} />
      {isPlaceholderData && <Loading />}
      {!variants && <Loading />}
      {variants && variants.length > 0 && <VariantTable variants={variants} isStale={isPlaceholderData} />}
      {variants?.length === 0 && filter !== '' && (
        <p className={shared.empty}>
          No variant name contains “{filter}”. The filter is case-sensitive.{' '}
          <Link to="/variants">Show all</Link>
        </p>
      )}
      {variants?.length === 0 && filter === '' && (
        <GettingStarted path="variants" example={{ id: 'my-variant', name: 'My variant' }}>
          There are no variants yet. A variant is what you evaluate: a prompt with its model and settings, in
          revisions. To add one,
        </GettingStarted>
      )}
      {hasNextPage && (
        <p className={styles.more}>
          <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </button>
        </p>
      )}
    </main>
  )
}

interface Column {
  title: string
  className?: 'number' | 'muted'
  cell: (variant: Variant) => ReactNode
}

const COLUMNS: Column[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/variants/$variantId" params={{ variantId: id }} className={styles.open}>
        {name ?? id}
      </Link>
    ),
  },
  { title: 'Id', cell: ({ id }) => <code>{id}</code> },
  {
    title: 'Revisions',
    className: 'number',
    cell: ({ revision_count }) => formatCount(revision_count),
  },
  {
    title: 'Latest',
    className: 'number',
    cell: ({ id, latest_revision }) =>
      latest_revision === null ? (
        <span className="muted">none</span>
      ) : (
        <RevisionLink variantId={id} revision={latest_revision} className={styles.open} />
      ),
  },
  { title: 'Created', className: 'muted', cell: ({ created_at }) => <TimeAgo time={created_at} /> },
]

function VariantTable({ variants, isStale }: { variants: Variant[]; isStale: boolean }) {
  const list = useRef<HTMLTableElement>(null)
  useListShortcuts(list)
  return (
    <table ref={list} className={styles.table} aria-busy={isStale}>
      <thead>
        <tr>
          {COLUMNS.map(({ title, className }) => (
            <th key={title} scope="col" className={className === 'number' ? className : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {variants.map((variant) => (
          <tr key={variant.id} data-row>
            {COLUMNS.map(({ title, className, cell }) => (
              <td key={title} className={className}>
                {cell(variant)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

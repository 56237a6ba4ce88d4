// Page with all variants, newest first, and a filter by name.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { AssayError, type Variant } from 'assay-client'
import { useRef } from 'react'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { formatCount } from '../../format/numbers.ts'
import { RevisionLink } from '../../navigation/links.tsx'
import { useListShortcuts } from '../../navigation/list-shortcuts.ts'
import { variantsQuery } from '../../queries/variants.ts'
import { FilterField } from '../../revisions/filter-field.tsx'
import { GettingStarted } from '../../revisions/getting-started.tsx'
import shared from '../../revisions/header.module.css'
import { ignoredParams } from '../../state/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import tableStyles from '../../ui/table.module.css'
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
  const isEmpty = variants?.length === 0
  return (
    <main>
      <header className={`${shared.header} ${styles.header}`}>
        <div className={shared.title}>
          <h1>Variants</h1>
          {variants && !isEmpty && (
            <span role="status" className="quiet">
              {hasNextPage ? `the newest ${formatCount(variants.length)}` : formatCount(variants.length)}
            </span>
          )}
        </div>
        <FilterField text={filter} label="Filter by name" />
      </header>
      <IgnoredParams params={ignoredParams(search)} />
      {!variants && <SkeletonRows rows={6} />}
      {variants && !isEmpty && <VariantTable variants={variants} isStale={isPlaceholderData} />}
      {isEmpty && filter !== '' && (
        <MessageBlock
          title={`No variant name contains “${filter}”`}
          actions={<Link to="/variants">Show all variants</Link>}
        >
          <p>The filter is case-sensitive.</p>
        </MessageBlock>
      )}
      {isEmpty && filter === '' && (
        <GettingStarted
          title="There are no variants yet"
          path="variants"
          example={{ id: 'my-variant', name: 'My variant' }}
        >
          A variant is what you evaluate: a prompt with its model and settings, in revisions. Add one with a
          write key:
        </GettingStarted>
      )}
      {hasNextPage && (
        <p className={styles.more}>
          <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </p>
      )}
    </main>
  )
}

function VariantTable({ variants, isStale }: { variants: Variant[]; isStale: boolean }) {
  const list = useRef<HTMLTableElement>(null)
  useListShortcuts(list)
  return (
    <table ref={list} className={`${tableStyles.table} ${styles.table}`} aria-busy={isStale}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={styles.id}>
            Id
          </th>
          <th scope="col" className={tableStyles.numeric}>
            Revisions
          </th>
          <th scope="col" className={tableStyles.numeric}>
            Latest
          </th>
          <th scope="col" className={styles.created}>
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {variants.map(({ id, name, revision_count, latest_revision, created_at }) => (
          <tr key={id} data-row>
            <td>
              <Link
                to="/variants/$variantId"
                params={{ variantId: id }}
                className={styles.name}
                data-tooltip={name ?? id}
              >
                {name ?? id}
              </Link>
            </td>
            <td className={styles.id}>
              <code className="quiet">{id}</code>
            </td>
            <td className={tableStyles.numeric}>{formatCount(revision_count)}</td>
            <td className={tableStyles.numeric}>
              {latest_revision === null ? (
                <span className="quiet">none</span>
              ) : (
                <RevisionLink variantId={id} revision={latest_revision} className={styles.revision} />
              )}
            </td>
            <td className={styles.created}>
              <TimeAgo time={created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// Page with all variants, newest first, with their newest scores, and a filter by name.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { Suspense } from 'react'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { formatCount } from '../../format/numbers.ts'
import { variantsQuery } from '../../queries/variants.ts'
import { FilterField } from '../../revisions/filter-field.tsx'
import shared from '../../revisions/header.module.css'
import { ignoredParams } from '../../state/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { VariantTable } from './variant-table.tsx'
import styles from './variants.module.css'

/** Only empty pages need it. */
const GettingStarted = lazyComponent(
  async () => (await import('../../revisions/getting-started.tsx')).GettingStarted,
)

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
      {data && !isEmpty && <VariantTable pages={data.pages} isStale={isPlaceholderData} />}
      {isEmpty && filter !== '' && (
        <MessageBlock
          title={`No variant name contains “${filter}”`}
          actions={<Link to="/variants">Show all variants</Link>}
        >
          <p>The filter is case-sensitive.</p>
        </MessageBlock>
      )}
      {isEmpty && filter === '' && (
        <Suspense fallback={null}>
          <GettingStarted
            title="There are no variants yet"
            path="variants"
            example={{ id: 'my-variant', name: 'My variant' }}
          >
            A variant is what you evaluate: a prompt with its model and settings, in revisions. Add one with a
            write key:
          </GettingStarted>
        </Suspense>
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

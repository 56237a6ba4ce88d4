// All variants, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { AssayError, type Variant } from 'assay-client'
import { useRef } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { count } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { Failure } from '../parts/failure.tsx'
import { Ignored } from '../parts/ignored.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { SearchField } from '../parts/search-field.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import { one, type Search } from '../search.ts'
import { variantsQuestion } from '../variant/questions.ts'
import shared from '../variant/variant.module.css'
import { FirstVariant } from './first-variant.tsx'
import styles from './variants.module.css'

export function VariantsPage() {
  useTitle('Variants')
  const search: Search = useSearch({ strict: false })
  const filter = one(search, 'q') ?? ''
  const change = useChangeSearch()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(
    variantsQuestion(filter),
  )
  const variants = data?.pages.flatMap((page) => page.items)
  if (error instanceof AssayError && !variants) {
    return (
      <main>
        <Failure error={error} />
      </main>
    )
  }
  return (
    <main>
      <header className={shared.head}>
        <div className={shared.title}>
          <h1>Variants</h1>
          {variants && (
            <span role="status" className="soft">
              {hasNextPage ? `the newest ${count(variants.length)}` : count(variants.length)}
            </span>
          )}
          <SearchField
            text={filter}
            onText={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
            label="Filter by name"
            placeholder="/ filter by name"
            className={shared.filter}
          />
        </div>
      </header>
      <Ignored parts={Object.keys(search).filter((name) => name !== 'q')} />
      {isPlaceholderData && <Waiting />}
      {!variants && <Waiting />}
      {variants && variants.length > 0 && <VariantTable variants={variants} isOld={isPlaceholderData} />}
      {variants?.length === 0 && filter !== '' && (
        <p className={shared.empty}>
          No variant has “{filter}” in its name. Upper and lower case count.{' '}
          <Link to="/variants">Show all</Link>
        </p>
      )}
      {variants?.length === 0 && filter === '' && <FirstVariant />}
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

function VariantTable({ variants, isOld }: { variants: Variant[]; isOld: boolean }) {
  const list = useRef<HTMLTableElement>(null)
  useRowKeys(list)
  return (
    <table ref={list} className={styles.table} aria-busy={isOld}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Id</th>
          <th scope="col" className="number">
            Revisions
          </th>
          <th scope="col" className="number">
            Latest
          </th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {variants.map((variant) => (
          <Row key={variant.id} variant={variant} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ variant: { id, name, revision_count, latest_revision, created_at } }: { variant: Variant }) {
  return (
    <tr data-row>
      <td>
        <Link to="/variants/$variantId" params={{ variantId: id }} className={styles.open}>
          {name ?? id}
        </Link>
      </td>
      <td>
        <code>{id}</code>
      </td>
      <td className="number">{count(revision_count)}</td>
      <td className="number">
        {latest_revision === null ? (
          <span className="soft">none</span>
        ) : (
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: id, revision: String(latest_revision) }}
            className={styles.open}
          >
            r{latest_revision}
          </Link>
        )}
      </td>
      <td className="soft">
        <Ago time={created_at} />
      </td>
    </tr>
  )
}

// Page that ranks evaluations over the rows that all of them have: ranks with intervals, the trade-off against cost or latency,
// and which rows pass in which evaluation.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AssayError, type Leaderboard } from 'assay-client'
import { Suspense } from 'react'
import { ErrorNotice, IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import table from '../../table/page.module.css'
import { buttonClass } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { Loading } from '../../ui/messages/loading.tsx'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { Header } from './header/header.tsx'
import { Tabs } from './header/tabs.tsx'
import { leaderboardQuery } from './queries.ts'
import { RankingView } from './ranking/ranking-view.tsx'
import { type LeaderboardParams, useLeaderboardParams } from './search-params.ts'
import { useSelection } from './selection.ts'

const RowsView = lazyComponent(async () => (await import('./rows/rows-view.tsx')).RowsView)

export function LeaderboardPage() {
  const params = useLeaderboardParams()
  useDocumentTitle('Leaderboard')
  const hasSelection = params.query.evaluation !== undefined || params.query.variant_id !== undefined
  const { data: leaderboard, error } = useQuery({
    ...leaderboardQuery(params.query),
    placeholderData: keepPreviousData,
    enabled: hasSelection,
  })
  if (!hasSelection) return <NothingSelected />
  if (error instanceof AssayError && !leaderboard) return <FailedPage error={error} />
  return (
    <>
      {leaderboard ? (
        <LoadedPage
          // The selection belongs to the ranked evaluations.
          key={JSON.stringify(leaderboard.evaluations.map(({ id }) => id))}
          params={params}
          leaderboard={leaderboard}
          error={error}
        />
      ) : (
        <main>
          <Loading description="Loading the leaderboard" />
          <SkeletonRows rows={9} />
        </main>
      )}
    </>
  )
}

function NothingSelected() {
  return (
    <main>
      <MessageBlock
        title="Select the evaluations to rank"
        heading="h1"
        actions={
          <Link to="/" className={buttonClass({})}>
            All evaluations
          </Link>
        }
      >
        <p>Select two to fifty evaluations, and then Leaderboard.</p>
      </MessageBlock>
    </main>
  )
}

interface LoadedPageProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
  error: unknown
}

function LoadedPage({ params, leaderboard, error }: LoadedPageProps) {
  const selection = useSelection(leaderboard)
  const areRows = params.tab === 'rows'
  const content = (
    <>
      <Header params={params} leaderboard={leaderboard} selection={selection} />
      <IgnoredParams params={params.ignored} />
      <ErrorNotice error={error} />
      <Tabs params={params} leaderboard={leaderboard} />
      {areRows ? (
        <Suspense fallback={<SkeletonRows rows={12} />}>
          <RowsView params={params} leaderboard={leaderboard} />
        </Suspense>
      ) : (
        <RankingView params={params} leaderboard={leaderboard} selection={selection} />
      )}
    </>
  )
  // The ranking scrolls with the page; the rows scroll in their table.
  return areRows ? (
    <main className={table.page}>
      <section className={table.section} aria-label="Rows">
        {content}
      </section>
    </main>
  ) : (
    <main>{content}</main>
  )
}

// Page of a variant: a verdict, its scores by revision, and the table of revisions with their changes.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { Fragment, type ReactNode, Suspense } from 'react'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { formatCount } from '../../format/numbers.ts'
import { RevisionLink } from '../../navigation/links.tsx'
import type { Revision } from '../../queries/variants.ts'
import sentenceStyles from '../../results/verdict-sentence.module.css'
import { FilterField } from '../../revisions/filter-field.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Triangle } from '../../ui/icon.tsx'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { Skeleton, SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { Header } from './header.tsx'
import { type History, useHistory } from './history.ts'
import styles from './page.module.css'
import { RowHistoryLink } from './row-history-link.tsx'
import cardStyles from './scores/cards.module.css'
import { MeasureCard } from './scores/measure-card.tsx'
import { ScoreCard } from './scores/score-card.tsx'
import { type Selection, useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { RevisionTable } from './table/revision-table.tsx'
import { historyVerdict, type VerdictPart } from './verdict-parts.ts'

/** Only empty pages need it. */
const GettingStarted = lazyComponent(
  async () => (await import('../../revisions/getting-started.tsx')).GettingStarted,
)

const EXAMPLE_REVISION = {
  modified_by: 'me',
  config: { config_name: 'first', parameters: { model: 'a-model', temperature: 0.2 } },
}
const NO_REVISIONS: Revision[] = []

const route = getRouteApi('/variants/$variantId')

export function VariantPage() {
  const { variantId } = route.useParams()
  const history = useHistory(variantId)
  useDocumentTitle(history.variant?.name ?? variantId)
  if (history.error instanceof AssayError && !history.revisions) return <FailedPage error={history.error} />
  // The key resets the selection when the variant changes.
  return <VariantView key={variantId} history={history} />
}

function VariantView({ history }: { history: History }) {
  const { id, revisions } = history
  const selection = useSelection(id, revisions ?? NO_REVISIONS)
  return (
    <main>
      <Header history={history} selection={selection} />
      <IgnoredParams params={history.ignored} />
      <Verdict history={history} />
      {revisions?.length === 0 ? (
        <Suspense fallback={null}>
          <GettingStarted
            title="This variant has no revisions yet"
            path={`variants/${encodeURIComponent(id)}/revisions`}
            example={EXAMPLE_REVISION}
          >
            A revision is one version of the prompt, the model and the settings. Add the first with a write
            key:
          </GettingStarted>
        </Suspense>
      ) : (
        <>
          <Cards history={history} selection={selection} />
          <Revisions history={history} selection={selection} />
        </>
      )}
      {revisions && <SelectionBar id={id} revisions={revisions} selection={selection} />}
    </main>
  )
}

function Cards({ history, selection }: { history: History; selection: Selection }) {
  const { id, revisions, metrics, metric } = history
  if (!revisions) {
    return (
      <div className={cardStyles.cards} aria-hidden="true">
        <div className={`${cardStyles.card} ${cardStyles.skeleton}`} />
        <div className={`${cardStyles.card} ${cardStyles.measures}`} />
      </div>
    )
  }
  if (!metric) return null
  return (
    <div className={cardStyles.cards}>
      <ScoreCard history={history} revisions={revisions} metric={metric} selected={selection.numbers} />
      <MeasureCard variantId={id} revisions={revisions} metrics={metrics} />
    </div>
  )
}

function Revisions({ history, selection }: { history: History; selection: Selection }) {
  const { id, revisions, matches, filter } = history
  return (
    <section aria-labelledby="revisions">
      <div className={styles.tools}>
        <h2 id="revisions">Revisions</h2>
        {revisions && (
          <span role="status" className="quiet number">
            {filter === ''
              ? formatCount(revisions.length)
              : `${formatCount(matches.length)} of ${formatCount(revisions.length)}`}
          </span>
        )}
        <FilterField text={filter} label="Filter revisions" />
      </div>
      {!revisions && <SkeletonRows rows={8} />}
      {revisions && matches.length > 0 && <RevisionTable history={history} selection={selection} />}
      {revisions && matches.length === 0 && (
        <MessageBlock
          title={`No revision matches “${filter}”`}
          actions={
            <Link to="/variants/$variantId" params={{ variantId: id }}>
              Show all revisions
            </Link>
          }
        >
          <p>The filter searches numbers, authors, messages, names and changed parameters.</p>
        </MessageBlock>
      )}
    </section>
  )
}

/** The verdict sentence of the variant page, with links to the revisions it names. */
function Verdict({ history: { id, revisions, metric } }: { history: History }) {
  if (!revisions) {
    return (
      <p className={styles.verdict}>
        <Skeleton width={60} />
      </p>
    )
  }
  if (revisions.length === 0) return null
  const parts = metric ? historyVerdict(id, revisions, metric) : ['No revision has been evaluated yet.']
  return (
    <p className={styles.verdict}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>{renderPart(id, part)}</Fragment>
      ))}
      <RowHistoryLink id={id} revisions={revisions} metric={metric} />
    </p>
  )
}

function renderPart(id: string, part: VerdictPart): ReactNode {
  if (typeof part === 'string') return part
  if (part.kind === 'revision')
    return <RevisionLink variantId={id} revision={part.revision} className="count-link" />
  const { outcome } = part
  return (
    <strong className={`${outcome} ${sentenceStyles.outcome}`}>
      {outcome !== 'tied' && <Triangle direction={outcome} />}
      {outcome}
    </strong>
  )
}

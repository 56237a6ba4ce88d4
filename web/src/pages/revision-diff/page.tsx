// Page with the diff of two revisions of a variant: changed parameters, and the evaluations of both.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { useRef } from 'react'
import { useCanRead } from '../../api/restriction.ts'
import layoutStyles from '../../content/text-layout.module.css'
import { LineSwitches } from '../../content/text-layout.tsx'
import { type ChangeSteps, StepButtons, useChangeSteps } from '../../diff/change-steps.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import { RevisionLink } from '../../navigation/revision-link.tsx'
import type { Revision } from '../../queries/variants.ts'
import { EvaluationTable } from '../../revisions/evaluation-table.tsx'
import { RawText } from '../../revisions/raw-text.tsx'
import shared from '../../revisions/revisions.module.css'
import { useShortcuts } from '../../state/shortcuts.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Changes } from './changes.tsx'
import { Header } from './header.tsx'
import styles from './page.module.css'
import { type RevisionDiffParams, useRevisionDiffParams } from './page-params.ts'
import { type RevisionDiffState, useRevisionDiffState } from './page-state.ts'

const route = getRouteApi('/variants/$variantId/revisions/$from/diff/$to')

export function RevisionDiffPage() {
  const { variantId, from, to } = route.useParams()
  const params = useRevisionDiffParams()
  const state = useRevisionDiffState(variantId, Number(from), Number(to), params.ignoreWhitespace)
  useDocumentTitle(`r${from} → r${to}`, state.variant?.name ?? variantId)
  const main = useRef<HTMLElement>(null)
  const steps = useChangeSteps(main, { subject: `${from} ${to} ${params.ignoreWhitespace}` })
  if (state.error instanceof AssayError && !state.diff) return <FailedPage error={state.error} />
  return (
    <main ref={main}>
      <Header state={state} params={params} />
      <IgnoredParams params={params.ignored} />
      {/* The key resets unfolded lines when the revisions change. */}
      <Body key={`${from} ${to}`} state={state} params={params} steps={steps} />
    </main>
  )
}

function Body({
  state,
  params,
  steps,
}: {
  state: RevisionDiffState
  params: RevisionDiffParams
  steps: ChangeSteps
}) {
  const { from, to, diff } = state
  // Wait for everything, so that nothing moves while the user reads.
  if (!diff || !state.revisions || !from.parameters || !to.parameters) return <Loading />
  // A new revision can be missing in the cached history.
  const revisions = [...new Set([from.revision, to.revision])].filter((revision) => revision !== undefined)
  return (
    <>
      <RevisionLines id={state.id} revisions={revisions} />
      <Evaluations revisions={revisions} />
      <Options params={params} steps={steps} />
      <div className={shared.body}>
        <Changes
          state={state}
          params={params}
          diff={diff}
          oldParameters={from.parameters.value}
          newParameters={to.parameters.value}
        />
        <section className={shared.section} aria-label="Raw JSON of both revisions">
          <RawText id={state.id} numbers={[from.number, to.number]} />
        </section>
      </div>
    </>
  )
}

/** One line per revision: author, time, configuration name and message. */
function RevisionLines({ id, revisions }: { id: string; revisions: Revision[] }) {
  return (
    <ul className={styles.revisions}>
      {revisions.map(({ revision, modified_by, created_at, config, message }) => (
        <li key={revision}>
          <RevisionLink variantId={id} revision={revision} />
          <span>
            <span className="muted">by</span> <bdi>{modified_by}</bdi>
            <span className="muted">
              , <TimeAgo time={created_at} />
            </span>
          </span>
          <bdi>{config.config_name}</bdi>
          {message && <q>{message}</q>}
        </li>
      ))}
    </ul>
  )
}

/** Evaluations of both revisions, and a link that compares the newest of each. */
function Evaluations({ revisions }: { revisions: Revision[] }) {
  const canRead = useCanRead()
  const newest = revisions.flatMap(({ evaluations }) => evaluations[0]?.id ?? [])
  return (
    <section className={styles.evaluations} aria-labelledby="evaluations">
      <h2 id="evaluations">
        Evaluations{' '}
        {newest.length === 2 && newest.every((id) => canRead('evaluation', id)) && (
          <Link to="/compare" search={{ evaluation: newest }} className={styles.compare}>
            Compare<span className="sr-only"> the newest evaluations</span>
          </Link>
        )}
      </h2>
      <EvaluationTable revisions={revisions} listedRevisions={revisions} />
    </section>
  )
}

/** Sticky toolbar: layout options and buttons to step through the changes. */
function Options({ params, steps }: { params: RevisionDiffParams; steps: ChangeSteps }) {
  useShortcuts('page', { s: params.toggleSplit, w: params.toggleWrap })
  return (
    <div role="group" aria-label="Diff options" className={styles.options}>
      <label>
        <input type="checkbox" checked={!params.showsUnchanged} onChange={params.toggleUnchanged} /> only
        changes
      </label>
      <label>
        <input type="checkbox" checked={params.ignoreWhitespace} onChange={params.toggleWhitespace} /> ignore
        whitespace
      </label>
      <div className={layoutStyles.switches}>
        <LineSwitches layout={params} hasSplit />
      </div>
      <div className={styles.steps}>
        <StepButtons steps={steps}>changes</StepButtons>
      </div>
    </div>
  )
}

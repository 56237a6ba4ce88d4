// Page of a revision: its evaluations, its changes, all parameters and the raw JSON.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError, type RevisionDiff } from 'assay-client'
import { useMemo, useRef } from 'react'
import { StepButtons, useChangeSteps } from '../../diff/change-steps.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { ChangeList } from '../../revisions/change-list.tsx'
import { EvaluationTable } from '../../revisions/evaluation-table.tsx'
import { InvalidRevisionPage } from '../../revisions/invalid-revision-page.tsx'
import type { TextLayout } from '../../revisions/parameters/parameter-change.tsx'
import { parametersOf, unchangedOf } from '../../revisions/parameters/parameter-paths.ts'
import { ParameterTable } from '../../revisions/parameters/parameter-table.tsx'
import { RawText } from '../../revisions/raw-text.tsx'
import { revisionNumberOf } from '../../revisions/revision-number.ts'
import styles from '../../revisions/revisions.module.css'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { Header } from './header.tsx'
import { type RevisionState, useRevisionState } from './page-state.ts'

const route = getRouteApi('/variants/$variantId/revisions/$revision')

export function RevisionPage() {
  const { variantId, revision } = route.useParams()
  const revisionNumber = revisionNumberOf(revision)
  useDocumentTitle(`r${revision}`, variantId)
  if (revisionNumber === undefined) return <InvalidRevisionPage variantId={variantId} texts={[revision]} />
  return <RevisionView variantId={variantId} revisionNumber={revisionNumber} />
}

function RevisionView({ variantId, revisionNumber }: { variantId: string; revisionNumber: number }) {
  const state = useRevisionState(variantId, revisionNumber)
  useDocumentTitle(`r${revisionNumber}`, state.variant?.name ?? variantId)
  if (state.error instanceof AssayError && !state.parameters) return <FailedPage error={state.error} />
  return (
    <main>
      <Header state={state} />
      {/* The key resets expanded sections when the revision changes. */}
      <Body key={state.revisionNumber} state={state} />
    </main>
  )
}

function Body({ state }: { state: RevisionState }) {
  const { revisions, revision, previousRevision, parameters, previousParameters, diff } = state
  if (!revisions || !revision || !parameters) return <SkeletonRows rows={8} />
  const allParameters = parametersOf(parameters.value)
  const isFirst = previousRevision === undefined
  return (
    <div className={styles.body}>
      {/* Above the changes, because they can be very long. */}
      <section className={styles.section} aria-labelledby="evaluations">
        <h2 id="evaluations">Evaluations</h2>
        <EvaluationTable variantId={state.variantId} revisions={revisions} listedRevisions={[revision]} />
      </section>
      {diff && previousParameters && (
        <Changes diff={diff} previousParameters={previousParameters.value} parameters={parameters.value} />
      )}
      {!isFirst && !(diff && previousParameters) && <SkeletonRows rows={4} />}
      <section className={styles.section} aria-labelledby="all">
        <h2 id="all">
          Full revision{' '}
          {isFirst && <span className={styles.subtitle}>the first revision: nothing to compare with</span>}
        </h2>
        <details open={isFirst}>
          <summary>{pluralize(allParameters.length, 'parameter')}</summary>
          <ParameterTable parameters={allParameters} />
        </details>
        <RawText id={state.variantId} numbers={[state.revisionNumber]} />
      </section>
    </div>
  )
}

const LAYOUT: TextLayout = { isSplit: false, isWrapped: true, ignoreWhitespace: false }

interface ChangesProps {
  diff: RevisionDiff
  previousParameters: unknown
  parameters: unknown
}

/** Changes of a revision compared with the previous one, and its unchanged parameters. */
function Changes({ diff, previousParameters, parameters }: ChangesProps) {
  const { variant_id, from, to, change_count, parameter_count } = diff
  const section = useRef<HTMLElement>(null)
  const steps = useChangeSteps(section)
  const unchangedParameters = useMemo(() => unchangedOf(parameters, diff), [parameters, diff])
  return (
    <section ref={section} className={styles.section} aria-labelledby="changes">
      <div className={styles.line}>
        <h2 id="changes">
          Changes{' '}
          <span className={styles.subtitle}>
            {change_count === 0 ? 'none' : formatCount(change_count)} of{' '}
            {pluralize(parameter_count, 'parameter')} changed since r{from}
          </span>
        </h2>
        <Link
          to="/variants/$variantId/revisions/$from/diff/$to"
          params={{ variantId: variant_id, from: String(from), to: String(to) }}
        >
          Diff with r{from}
        </Link>
        {change_count > 0 && <StepButtons steps={steps} />}
      </div>
      <ChangeList
        diff={diff}
        changes={diff.changes}
        oldParameters={previousParameters}
        newParameters={parameters}
        layout={LAYOUT}
      />
      {unchangedParameters.length > 0 && (
        <details>
          <summary>{pluralize(unchangedParameters.length, 'parameter')} unchanged</summary>
          <ParameterTable parameters={unchangedParameters} />
        </details>
      )}
    </section>
  )
}

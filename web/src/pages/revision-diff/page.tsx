// Page with the diff of two revisions of a variant: changed parameters, and the evaluations of both.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError, type RevisionDiff } from 'assay-client'
import { useMemo, useRef } from 'react'
import layoutStyles from '../../content/text-layout.module.css'
import { LineSwitches } from '../../content/text-layout.tsx'
import { type ChangeSteps, StepButtons, useChangeSteps } from '../../diff/change-steps.tsx'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { pluralize } from '../../format/numbers.ts'
import { RevisionLink } from '../../navigation/links.tsx'
import type { Revision } from '../../queries/variants.ts'
import { ChangeList } from '../../revisions/change-list.tsx'
import { EvaluationTable } from '../../revisions/evaluation-table.tsx'
import { InvalidRevisionPage } from '../../revisions/invalid-revision-page.tsx'
import { unchangedOf } from '../../revisions/parameters/parameter-paths.ts'
import { ParameterTable } from '../../revisions/parameters/parameter-table.tsx'
import { RawText } from '../../revisions/raw-text.tsx'
import { revisionNumberOf } from '../../revisions/revision-number.ts'
import shared from '../../revisions/revisions.module.css'
import { useShortcuts } from '../../state/shortcuts.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Header } from './header.tsx'
import styles from './page.module.css'
import { type RevisionDiffParams, useRevisionDiffParams } from './page-params.ts'
import { type RevisionDiffState, useRevisionDiffState } from './page-state.ts'

const route = getRouteApi('/variants/$variantId/revisions/$from/diff/$to')

export function RevisionDiffPage() {
  const { variantId, from, to } = route.useParams()
  const [fromNumber, toNumber] = [revisionNumberOf(from), revisionNumberOf(to)]
  if (fromNumber === undefined || toNumber === undefined)
    return <InvalidRevisionPage variantId={variantId} texts={[from, to]} />
  return <RevisionDiffView variantId={variantId} from={fromNumber} to={toNumber} />
}

function RevisionDiffView({ variantId, from, to }: { variantId: string; from: number; to: number }) {
  const params = useRevisionDiffParams()
  const state = useRevisionDiffState(variantId, from, to, params.ignoreWhitespace)
  useDocumentTitle(`Diff of r${from} and r${to}`, state.variant?.name ?? variantId)
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
  if (!diff || !state.revisions || !from.parameters || !to.parameters) return <SkeletonRows rows={10} />
  // A new revision can be missing in the cached history.
  const revisions = [...new Set([from.revision, to.revision])].filter((revision) => revision !== undefined)
  return (
    <>
      <RevisionLines id={state.id} revisions={revisions} />
      <Evaluations id={state.id} revisions={revisions} />
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
          {message && <span>{message}</span>}
          <span className="quiet">
            by <bdi>{modified_by}</bdi>, <TimeAgo time={created_at} />, <bdi>{config.config_name}</bdi>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Evaluations of both revisions. */
function Evaluations({ id, revisions }: { id: string; revisions: Revision[] }) {
  return (
    <section className={styles.evaluations} aria-labelledby="evaluations">
      <h2 id="evaluations" className="sr-only">
        Evaluations
      </h2>
      <EvaluationTable variantId={id} revisions={revisions} listedRevisions={revisions} />
    </section>
  )
}

/** Sticky toolbar: layout options and buttons to step through the changes. */
function Options({ params, steps }: { params: RevisionDiffParams; steps: ChangeSteps }) {
  useShortcuts('page', {
    s: { label: 'Switch between split and unified', run: params.toggleSplit },
    w: { label: 'Wrap lines', run: params.toggleWrap },
  })
  return (
    <div role="group" aria-label="Diff options" className={styles.options}>
      <label>
        <input type="checkbox" checked={!params.showsUnchanged} onChange={params.toggleUnchanged} />
        Only changes
      </label>
      <label>
        <input type="checkbox" checked={params.ignoreWhitespace} onChange={params.toggleWhitespace} />
        Ignore whitespace
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

interface ChangesProps {
  state: RevisionDiffState
  params: RevisionDiffParams
  diff: RevisionDiff
  /** The parameters of the old and the new revision. Numbers keep all their digits. */
  oldParameters: unknown
  newParameters: unknown
}

/** Changed parameters of two revisions, and the unchanged ones if requested; or a text if nothing changed. */
function Changes({ state, params, diff, oldParameters, newParameters }: ChangesProps) {
  const { changes } = state
  const unchangedParameters = useMemo(
    () => unchangedOf(newParameters, diff, changes),
    [newParameters, diff, changes],
  )
  const text = emptyText(state, diff)
  return (
    <>
      <section className={shared.section} aria-label="Changes">
        {text && <p>{text}</p>}
        <ChangeList
          diff={diff}
          changes={changes}
          oldParameters={oldParameters}
          newParameters={newParameters}
          layout={params}
        />
      </section>
      {unchangedParameters.length > 0 && (
        <section className={shared.section} aria-labelledby="unchanged">
          <div className={shared.line}>
            <h2 id="unchanged">{pluralize(unchangedParameters.length, 'parameter')} unchanged</h2>
            {!params.showsUnchanged && (
              <button type="button" onClick={params.toggleUnchanged}>
                Show
              </button>
            )}
          </div>
          {params.showsUnchanged && <ParameterTable parameters={unchangedParameters} />}
        </section>
      )}
    </>
  )
}

/** Undefined if there are changes to list. */
function emptyText(
  { from, to, changes }: RevisionDiffState,
  { change_count }: RevisionDiff,
): string | undefined {
  if (from.number === to.number) return `Identical: r${from.number} is compared with itself.`
  if (change_count === 0) return 'No parameter changed.'
  if (changes.length === 0) return 'Only whitespace changed.'
  return undefined
}

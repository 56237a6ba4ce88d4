// Page with the diff of two revisions of a variant: changed parameters, and the evaluations of both.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { useRef } from 'react'
import { type ChangeSteps, useChangeSteps } from '../../diff/change-steps.tsx'
import { ErrorPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import shared from '../../revisions/revisions.module.css'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { Changes } from './changes.tsx'
import { Evaluations } from './evaluations.tsx'
import { Header } from './header.tsx'
import { Options } from './options.tsx'
import { type RevisionDiffParams, useRevisionDiffParams } from './page-params.ts'
import { type RevisionDiffState, useRevisionDiffState } from './page-state.ts'
import { RawTexts } from './raw-texts.tsx'
import { RevisionLines } from './revision-lines.tsx'

const route = getRouteApi('/variants/$variantId/revisions/$from/diff/$to')

export function RevisionDiffPage() {
  const { variantId, from, to } = route.useParams()
  const params = useRevisionDiffParams()
  const state = useRevisionDiffState(variantId, Number(from), Number(to), params.ignoreWhitespace)
  useDocumentTitle(`r${from} → r${to}`, state.variant?.name ?? variantId)
  const main = useRef<HTMLElement>(null)
  const steps = useChangeSteps(main, { subject: `${from} ${to} ${params.ignoreWhitespace}` })
  if (state.error instanceof AssayError && !state.diff) {
    return (
      <main>
        <ErrorPage error={state.error} />
      </main>
    )
  }
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
        <RawTexts state={state} />
      </div>
    </>
  )
}

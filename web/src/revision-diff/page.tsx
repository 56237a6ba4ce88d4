// What differs between two revisions of a variant, parameter by parameter, and how the evaluations that ran them did.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { useRef } from 'react'
import { type Steps, useSteps } from '../diff/steps.tsx'
import { Failure } from '../parts/failure.tsx'
import { Ignored } from '../parts/ignored.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import shared from '../revision/revision.module.css'
import { ChangeList } from './change-list.tsx'
import { Head } from './head.tsx'
import { Options } from './options.tsx'
import { Ran } from './ran.tsx'
import { Raw } from './raw.tsx'
import { type ShownDiff, useShownDiff } from './shown.ts'
import { Sides } from './sides.tsx'
import { useView, type View } from './view.ts'

const route = getRouteApi('/variants/$variantId/revisions/$from/diff/$to')

export function RevisionDiffPage() {
  const { variantId, from, to } = route.useParams()
  const view = useView()
  const shown = useShownDiff(variantId, Number(from), Number(to), view.ignoresSpace)
  useTitle(`r${from} → r${to}`, shown.variant?.name ?? variantId)
  const main = useRef<HTMLElement>(null)
  const steps = useSteps(main, { subject: `${from} ${to} ${view.ignoresSpace}` })
  if (shown.error instanceof AssayError && !shown.difference) {
    return (
      <main>
        <Failure error={shown.error} />
      </main>
    )
  }
  return (
    <main ref={main}>
      <Head shown={shown} view={view} />
      <Ignored parts={view.ignored} />
      {/* What was unfolded between two revisions says nothing about two others. */}
      <Body key={`${from} ${to}`} shown={shown} view={view} steps={steps} />
    </main>
  )
}

function Body({ shown, view, steps }: { shown: ShownDiff; view: View; steps: Steps }) {
  const { old, now, difference } = shown
  // All at once: nothing moves away from below whoever reads it.
  if (!difference || !old.revision || !now.revision || !old.parameters || !now.parameters) return <Waiting />
  const both = old.number === now.number ? [old.revision] : [old.revision, now.revision]
  return (
    <>
      <Sides id={shown.id} revisions={both} />
      <Ran revisions={both} />
      <Options view={view} steps={steps} />
      <div className={shared.body}>
        <ChangeList
          shown={shown}
          view={view}
          difference={difference}
          before={old.parameters.value}
          after={now.parameters.value}
        />
        <Raw shown={shown} />
      </div>
    </>
  )
}

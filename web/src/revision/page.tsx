// One revision: what it changed, the evaluations that ran it, and all of it exactly as it was written.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { counted } from '../format/numbers.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Failure } from '../parts/failure.tsx'
import { LongText } from '../parts/long-text.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import { Changes } from './changes.tsx'
import { Evaluations } from './evaluations.tsx'
import { Head } from './head.tsx'
import { Parameters } from './parameters.tsx'
import { parametersOf } from './paths.ts'
import { RawText } from './raw-text.tsx'
import styles from './revision.module.css'
import { type ShownRevision, useShownRevision } from './shown.ts'

const route = getRouteApi('/variants/$variantId/revisions/$revision')

export function RevisionPage() {
  const { variantId, revision } = route.useParams()
  const shown = useShownRevision(variantId, Number(revision))
  useTitle(`r${revision}`, shown.variant?.name ?? variantId)
  if (shown.error instanceof AssayError && !shown.parameters) {
    return (
      <main>
        <Failure error={shown.error} />
      </main>
    )
  }
  return (
    <main>
      <Head shown={shown} />
      {/* What was opened in one revision says nothing about the next. */}
      <Body key={shown.number} shown={shown} />
    </main>
  )
}

function Body({ shown }: { shown: ShownRevision }) {
  const { revisions, revision, before, parameters, parametersBefore, difference } = shown
  if (!revisions || !revision || !parameters) return <Waiting />
  const all = parametersOf(parameters.value)
  const isFirst = before === undefined
  return (
    <div className={styles.body}>
      {/* Before the changes, which may be pages long. */}
      <section className={styles.section} aria-labelledby="evaluations">
        <h2 id="evaluations">Evaluations that ran it</h2>
        <Evaluations revisions={revisions} of={[revision]} />
      </section>
      {difference && parametersBefore && (
        <Changes difference={difference} before={parametersBefore.value} after={parameters.value} />
      )}
      {!isFirst && !(difference && parametersBefore) && <Waiting />}
      <section className={styles.section} aria-labelledby="whole">
        <h2 id="whole">
          The whole revision{' '}
          {isFirst && (
            <span className={styles.about}>the first of its variant, so nothing to compare with</span>
          )}
        </h2>
        <details open={isFirst}>
          <summary>{counted(all.length, 'parameter')}</summary>
          <Parameters parameters={all} />
        </details>
        <RawText id={shown.id} numbers={[shown.number]}>
          {([text = '']) => (
            <>
              <CopyButton text={text}>Copy</CopyButton>
              <pre className={styles.raw}>
                <LongText text={text} shown={20_000} />
              </pre>
            </>
          )}
        </RawText>
      </section>
    </div>
  )
}

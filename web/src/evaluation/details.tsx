// The line below the name: what ran, how it was configured, and how that differs from the evaluation it is compared with.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation, EvaluationSummary } from 'assay-client'
import { counted, percent } from '../format/numbers.ts'
import { Ago } from '../parts/ago.tsx'
import { useCovers } from '../shell/confinement.ts'
import { differenceQuestion, revisionQuestion } from '../variant/questions.ts'
import { BaseMenu } from './base-menu.tsx'
import styles from './head.module.css'
import type { Shown } from './shown.ts'
import { tellingParameters } from './telling-parameters.ts'

export function Details({ shown }: { shown: Shown }) {
  const { evaluation } = shown
  if (!evaluation) return <p className={styles.details} />
  return (
    <div className={styles.details}>
      <BaseMenu shown={shown} evaluation={evaluation} />
      <Pairing shown={shown} />
      <Difference evaluation={evaluation} base={shown.summary?.base} />
      <Configuration evaluation={evaluation} />
      {evaluation.source && <span>from {evaluation.source}</span>}
      <span>
        <Ago time={evaluation.created_at} />
      </span>
    </div>
  )
}

/** How rows of the two were paired. */
function Pairing({ shown: { summary } }: { shown: Shown }) {
  if (!summary?.base) return null
  const { by, match_rate, matched } = summary.base
  return (
    <span title={`${counted(matched, 'row')} of the smaller evaluation have a partner`}>
      matched by {by}, {percent(match_rate)}
    </span>
  )
}

interface Both {
  evaluation: Evaluation
  base: EvaluationSummary['base']
}

/** What the two revisions of one variant have different. */
function Difference({ evaluation, base }: Both) {
  const { variant_id, revision } = evaluation
  const from = base?.variant_id === variant_id ? (base?.revision ?? undefined) : undefined
  const isOpen = useCovers()('variant', variant_id)
  const isAsked =
    isOpen && variant_id !== null && revision !== null && from !== undefined && from !== revision
  const { data: diff } = useQuery({
    ...differenceQuestion(variant_id ?? '', from ?? 0, revision ?? 0),
    enabled: isAsked,
  })
  if (from !== undefined && from === revision) return <span>same revision as the baseline</span>
  if (!diff || !isAsked) return null
  return (
    <span>
      <Link
        to="/variants/$variantId/revisions/$revision"
        params={{ variantId: variant_id, revision: String(revision) }}
      >
        {counted(diff.change_count, 'parameter')} {diff.change_count === 1 ? 'differs' : 'differ'}
      </Link>{' '}
      from r{from}
    </span>
  )
}

function Configuration({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  const isOpen = useCovers()('variant', variant_id)
  const { data } = useQuery({
    ...revisionQuestion(variant_id ?? '', revision ?? 0),
    enabled: isOpen && variant_id !== null && revision !== null,
  })
  if (variant_id === null) return null
  if (!isOpen) {
    return (
      <span>
        variant {variant_id} {revision !== null && `r${revision}`}
      </span>
    )
  }
  const telling = tellingParameters(data?.config.parameters)
  return (
    <>
      <span>
        variant{' '}
        <Link to="/variants/$variantId" params={{ variantId: variant_id }}>
          {variant_id}
        </Link>{' '}
        {revision !== null && (
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: variant_id, revision: String(revision) }}
          >
            r{revision}
          </Link>
        )}
      </span>
      {telling.length > 0 && (
        <span className={styles.telling} title={telling.join('\n')}>
          {telling.join(' · ')}
        </span>
      )}
    </>
  )
}

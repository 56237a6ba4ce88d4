// What a revision changed against the one before it, parameter by parameter, and what it left as it was.
import { Link } from '@tanstack/react-router'
import type { RevisionDiff } from 'assay-client'
import { useMemo, useRef } from 'react'
import { StepButtons, useSteps } from '../diff/steps.tsx'
import { count, counted } from '../format/numbers.ts'
import type { TextLayout } from './change.tsx'
import { ChangeItems } from './change-items.tsx'
import { Parameters } from './parameters.tsx'
import styles from './revision.module.css'
import { unchangedOf } from './unchanged.ts'

const LAYOUT: TextLayout = { isSplit: false, isWrapped: true, ignoresSpace: false }

interface ChangesProps {
  difference: RevisionDiff
  before: unknown
  after: unknown
}

export function Changes({ difference, before, after }: ChangesProps) {
  const { variant_id, from, to, change_count, parameter_count } = difference
  const section = useRef<HTMLElement>(null)
  const steps = useSteps(section)
  const unchanged = useMemo(() => unchangedOf(after, difference), [after, difference])
  return (
    <section ref={section} className={styles.section} aria-labelledby="changes">
      <div className={styles.line}>
        <h2 id="changes">
          What it changed{' '}
          <span className={styles.about}>
            {change_count === 0 ? 'no' : count(change_count)} of {counted(parameter_count, 'parameter')},
            against r{from}
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
      <ChangeItems
        difference={difference}
        changes={difference.changes}
        before={before}
        after={after}
        layout={LAYOUT}
      />
      {unchanged.length > 0 && (
        <details>
          <summary>{counted(unchanged.length, 'parameter')} unchanged</summary>
          <Parameters parameters={unchanged} />
        </details>
      )}
    </section>
  )
}

// Changes of a revision compared with the previous one, and its unchanged parameters.
import { Link } from '@tanstack/react-router'
import type { RevisionDiff } from 'assay-client'
import { useMemo, useRef } from 'react'
import { StepButtons, useChangeSteps } from '../../diff/change-steps.tsx'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { ChangeList } from '../../revisions/change-list.tsx'
import type { TextLayout } from '../../revisions/parameters/parameter-change.tsx'
import { unchangedOf } from '../../revisions/parameters/parameter-paths.ts'
import { ParameterTable } from '../../revisions/parameters/parameter-table.tsx'
import styles from '../../revisions/revisions.module.css'

const LAYOUT: TextLayout = { isSplit: false, isWrapped: true, ignoreWhitespace: false }

interface ChangesProps {
  diff: RevisionDiff
  previousParameters: unknown
  parameters: unknown
}

export function Changes({ diff, previousParameters, parameters }: ChangesProps) {
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

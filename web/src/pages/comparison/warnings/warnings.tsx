// Warnings about the comparison: one line of labels, and their details when expanded.
import type { Comparison } from 'assay-client'
import { TriangleAlert } from 'lucide'
import { Fragment, useId, useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ComparisonState } from '../page-state.ts'
import { WarningDetails } from './warning-details.tsx'
import { warningGroups } from './warning-labels.ts'
import styles from './warnings.module.css'

interface WarningsProps {
  state: ComparisonState
  comparison: Comparison
}

export function Warnings({ state, comparison }: WarningsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  const groups = useMemo(() => warningGroups(comparison), [comparison])
  return (
    <section aria-label="Warnings" className={styles.warnings}>
      <p className={styles.line}>
        <Icon icon={TriangleAlert} size={14} />
        <span className={styles.labels}>
          {groups.map(({ code, evaluation, label }, index) => (
            <Fragment key={`${code} ${evaluation}`}>
              {index > 0 && '; '}
              <bdi>{label}</bdi>
            </Fragment>
          ))}
        </span>
        <Button
          variant="plain"
          size="small"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide details' : 'Show details'}
        </Button>
      </p>
      <ul id={detailsId} hidden={!isOpen}>
        {isOpen &&
          groups.map((group) => (
            <WarningDetails key={`${group.code} ${group.evaluation}`} state={state} group={group} />
          ))}
      </ul>
    </section>
  )
}

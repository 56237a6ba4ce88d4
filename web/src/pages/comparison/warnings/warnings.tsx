// Warnings about the comparison: one line of labels, and their details when expanded.
import { useQuery } from '@tanstack/react-query'
import type { Comparison } from 'assay-client'
import { TriangleAlert } from 'lucide'
import { Fragment, useId, useMemo, useState } from 'react'
import { formatScore } from '../../../format/numbers.ts'
import { evaluationQuery } from '../../../queries/evaluations.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ClassLink } from '../class-link.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { type WarningGroup, warningGroups } from './warning-labels.ts'
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

/** The details of one group of warnings, with links to the rows and the settings that it is about. */
function WarningDetails({ state, group }: { state: ComparisonState; group: WarningGroup }) {
  const { code, evaluation, warnings } = group
  return warnings.map(({ detail, evaluator }) => (
    <li key={detail}>
      <bdi>{detail}</bdi>{' '}
      {code === 'rows-missing' && evaluation !== null && (
        <ClassLink
          state={state}
          show="missing"
          evaluator={state.evaluator}
          candidate={evaluation}
          className="count-link"
        >
          Show rows
        </ClassLink>
      )}
      {code === 'evaluator-differs' && evaluator !== null && (
        <>
          <EvaluatorSettings state={state} id={state.params.evaluations[0] ?? ''} evaluator={evaluator} />{' '}
          <EvaluatorSettings state={state} id={evaluation ?? ''} evaluator={evaluator} />
        </>
      )}
    </li>
  ))
}

/** Settings of an evaluator in one evaluation: "geo-v3: higher is better, threshold 0.5." */
function EvaluatorSettings({
  state,
  id,
  evaluator,
}: {
  state: ComparisonState
  id: string
  evaluator: string
}) {
  const { data } = useQuery(evaluationQuery(id))
  const settings = data?.evaluators?.find(({ name }) => name === evaluator)
  if (!settings) return null
  const { higher_is_better = true, threshold } = settings
  return (
    <span className="muted">
      <bdi>{shortName(state.comparison, id)}</bdi>: {higher_is_better ? 'higher' : 'lower'} is better,{' '}
      {threshold === undefined ? 'no threshold' : `threshold ${formatScore(threshold)}`}.
    </span>
  )
}

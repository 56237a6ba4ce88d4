// The answer before the first row: is the candidate better, and in how many rows did it get worse?
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { count, counted } from '../format/numbers.ts'
import type { Search } from '../search.ts'
import { nameOf } from './compared.ts'
import styles from './head.module.css'
import { type Candidate, type ComparedEvaluator, listed, type Measured, outcomeOf } from './outcomes.ts'
import { rowsOfClass } from './rows-of-class.ts'
import type { Shown } from './shown.ts'

export function Answer({ shown }: { shown: Shown }) {
  const { comparison, on } = shown
  if (!comparison) {
    return (
      <p className={styles.answer}>
        {shown.view.evaluations.slice(1).map((id) => (
          <br key={id} />
        ))}
      </p>
    )
  }
  return (
    <div role="status" aria-label="Answer" className={styles.answer}>
      {comparison.candidates.map((candidate) => (
        <p key={candidate.id}>
          <Sentence
            shown={shown}
            comparison={comparison}
            candidate={candidate}
            evaluator={candidate.evaluators.find(({ name }) => name === on)}
          />
        </p>
      ))}
    </div>
  )
}

interface SentenceProps {
  shown: Shown
  comparison: Comparison
  candidate: Candidate
  evaluator: ComparedEvaluator | undefined
}

function Sentence({ shown, comparison, candidate, evaluator }: SentenceProps) {
  const { id, matched, outputs_changed } = candidate
  const name = <Name name={nameOf(comparison, id)} />
  const base = <Name name={nameOf(comparison, comparison.evaluations[0]?.id ?? '')} />
  if (matched === 0) {
    return (
      <>
        No row of {name} matches one of {base}, so there is nothing to compare.
      </>
    )
  }
  if (!evaluator || !candidate.evaluators.some(({ n }) => n > 0)) {
    return (
      <>
        No score says whether {name} or {base} is better: they have none in common. {count(outputs_changed)}{' '}
        of {counted(matched, 'matched output')} differ.
      </>
    )
  }
  const { n, classes } = evaluator
  const on = <strong>{evaluator.name}</strong>
  // Of several candidates the figures say it.
  const others = comparison.candidates.length === 1 && <Others candidate={candidate} but={evaluator} />
  const outcome = outcomeOf(evaluator)
  if (outcome === 'none') {
    return (
      <>
        {name} cannot be compared with {base} on {on}: no matched row has a score in both.{others}
      </>
    )
  }
  const changes = <Changes shown={shown} id={id} evaluator={evaluator} />
  if (outcome === 'unclear') {
    return (
      <>
        There is not enough to tell {name} from {base} on {on}: only {counted(n, 'row')} with a score in both.
        {others}
      </>
    )
  }
  if (outcome !== 'tied') {
    return (
      <>
        {name} is{' '}
        <strong className={outcome}>
          <span aria-hidden="true">{outcome === 'better' ? '▲ ' : '▼ '}</span>
          {outcome}
        </strong>{' '}
        than {base} on {on}: {changes}.{others}
      </>
    )
  }
  const isUnchanged = classes.regressed + classes.improved === 0
  return (
    <>
      {name} and {base} are <strong>tied</strong> on {on}:{' '}
      {isUnchanged ? `all ${counted(n, 'row')} scored the same` : <>{changes}, too close to tell</>}.{others}
    </>
  )
}

function Name({ name }: { name: string }) {
  return <bdi>{name}</bdi>
}

/** Each number is the way to its rows. */
function Changes({ shown, id, evaluator }: { shown: Shown; id: string; evaluator: ComparedEvaluator }) {
  const { regressed, improved } = evaluator.classes
  const rowsOf = (show: 'regressed' | 'improved') => (old: Search) =>
    rowsOfClass(old, shown.view, { show, on: evaluator.name, candidate: id })
  return (
    <>
      <Link to="/compare" search={rowsOf('regressed')}>
        {counted(regressed, 'row')} regressed
      </Link>
      ,{' '}
      <Link to="/compare" search={rowsOf('improved')}>
        {count(improved)} improved
      </Link>
    </>
  )
}

/** What else went which way. */
function Others({ candidate, but }: { candidate: Candidate; but: ComparedEvaluator }) {
  const all: [name: string, measured: Measured][] = [
    ...candidate.evaluators.filter((one) => one !== but).map((one): [string, Measured] => [one.name, one]),
    ['latency', candidate.latency],
    ['cost', candidate.cost],
  ]
  const said = (['worse', 'better'] as const).flatMap((word) => {
    const names = all.filter(([, measured]) => measured.outcome === word).map(([name]) => name)
    const also = but.outcome === word ? 'also ' : ''
    return names.length === 0 ? [] : `${also}${word} on ${listed(names)}`
  })
  const words = said.join('; ')
  return words === '' ? null : (
    <span className={styles.others}> {`${words[0]?.toUpperCase()}${words.slice(1)}.`}</span>
  )
}

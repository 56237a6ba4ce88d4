// What to beware of before believing the figures: a line of it, and the whole story for whoever asks.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useId, useMemo, useState } from 'react'
import { evaluationQuestion } from '../evaluation/questions.ts'
import { score } from '../format/numbers.ts'
import type { Search } from '../search.ts'
import { nameOf } from './compared.ts'
import { rowsOfClass } from './rows-of-class.ts'
import type { Shown } from './shown.ts'
import { type Caution, cautionsOf } from './warning-words.ts'
import styles from './warnings.module.css'

export function Warnings({ shown }: { shown: Shown }) {
  const { comparison } = shown
  const [isOpen, setIsOpen] = useState(false)
  const story = useId()
  const cautions = useMemo(() => (comparison ? cautionsOf(comparison) : []), [comparison])
  if (cautions.length === 0) return null
  return (
    <section aria-label="Warnings" className={styles.warnings}>
      <p className={styles.line}>
        <span aria-hidden="true">⚠</span>
        <span className={styles.words}>
          {cautions.map(({ code, evaluation, words }, index) => (
            <Fragment key={`${code} ${evaluation}`}>
              {index > 0 && ' · '}
              <bdi>{words}</bdi>
            </Fragment>
          ))}
        </span>
        <button type="button" aria-expanded={isOpen} aria-controls={story} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Less' : 'What does that mean?'}
        </button>
      </p>
      <ul id={story} hidden={!isOpen}>
        {isOpen &&
          cautions.map((caution) => (
            <Story key={`${caution.code} ${caution.evaluation}`} shown={shown} caution={caution} />
          ))}
      </ul>
    </section>
  )
}

function Story({ shown, caution }: { shown: Shown; caution: Caution }) {
  const { code, evaluation, warnings } = caution
  return warnings.map(({ detail, evaluator }) => (
    <li key={detail}>
      <bdi>{detail}</bdi>{' '}
      {code === 'rows-missing' && evaluation !== null && (
        <Link
          to="/compare"
          search={(old: Search) =>
            rowsOfClass(old, shown.view, { show: 'missing', on: shown.on, candidate: evaluation })
          }
        >
          Show them
        </Link>
      )}
      {code === 'evaluator-differs' && evaluator !== null && (
        <>
          <Settings shown={shown} id={shown.view.evaluations[0] ?? ''} evaluator={evaluator} />{' '}
          <Settings shown={shown} id={evaluation ?? ''} evaluator={evaluator} />
        </>
      )}
    </li>
  ))
}

/** What an evaluation declares of an evaluator: "geo-v3: higher is better, passed from 0.5 on." */
function Settings({ shown, id, evaluator }: { shown: Shown; id: string; evaluator: string }) {
  const { data } = useQuery(evaluationQuestion(id))
  const declared = data?.evaluators?.find(({ name }) => name === evaluator)
  if (!declared) return null
  const { higher_is_better = true, threshold } = declared
  return (
    <span className="soft">
      <bdi>{nameOf(shown.comparison, id)}</bdi>: {higher_is_better ? 'higher' : 'lower'} is better,{' '}
      {threshold === undefined ? 'no threshold' : `threshold ${score(threshold)}`}.
    </span>
  )
}

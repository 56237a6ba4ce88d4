// How a scenario did at a glance: what each evaluator said, how long it took, what it cost, and what ran.
import { useQuery } from '@tanstack/react-query'
import type { Shown } from '../evaluation/shown.ts'
import { STATE_NAMES } from '../evaluation/states.ts'
import { dollars, score, seconds } from '../format/numbers.ts'
import { Delta } from '../parts/delta.tsx'
import type { Opened } from './opened.ts'
import { revisionQuestion } from './questions.ts'
import { type Reading, SIGNS } from './readings.ts'
import styles from './scenario.module.css'

export function StateLine({ shown, opened: { scenario, readings } }: { shown: Shown; opened: Opened }) {
  const model = useModel(shown)
  const latency = total(scenario.outputs.map((output) => output.latency))
  const cost = total(scenario.outputs.map((output) => output.cost))
  return (
    <ul className={styles.states} aria-label="At a glance">
      {readings.map((reading, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an evaluator may have said several things
        <li key={index}>
          <Verdict reading={reading} isShort /> {reading.evaluator} <ReadingDelta reading={reading} />
        </li>
      ))}
      {latency !== undefined && <li>{seconds(latency)}</li>}
      {cost !== undefined && <li>{dollars(cost)}</li>}
      {model !== undefined && <li>{model}</li>}
    </ul>
  )
}

/** Sign, word and value; short, a long text is left out. */
export function Verdict({
  reading: { state, text },
  isShort = false,
}: {
  reading: Reading
  isShort?: boolean
}) {
  const isVerdict = state === 'pass' || state === 'fail'
  const colour = state === 'pass' ? 'better' : state === 'fail' || state === 'error' ? 'worse' : undefined
  const words = state === 'error' && isShort ? '' : text
  return (
    <span className={colour}>
      {SIGNS[state] && <span aria-hidden={isVerdict && !isShort}>{SIGNS[state]} </span>}
      {isShort ? (
        <>
          <span className="unseen">{STATE_NAMES[state]} </span>
          <b className={styles.value}>{words}</b>
        </>
      ) : (
        <>
          {(isVerdict || state === 'error') && `${STATE_NAMES[state].toLowerCase()} `}
          <b className={styles.value}>{words}</b>
        </>
      )}
    </span>
  )
}

export function ReadingDelta({ reading }: { reading: Reading }) {
  const { delta, higherIsBetter, isVerdict } = reading
  if (delta === undefined) return null
  if (!isVerdict || delta === 0) return <Delta value={delta} higherIsBetter={higherIsBetter} format={score} />
  return <Delta value={delta} higherIsBetter={higherIsBetter} format={() => ''} />
}

/** Of all outputs that have one. */
function total(values: (number | null | undefined)[]): number | undefined {
  const known = values.filter((value) => typeof value === 'number')
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

/** What the revision that ran says, where it says one. */
function useModel({ evaluation }: Shown): string | undefined {
  const { variant_id: variant = null, revision = null } = evaluation ?? {}
  const { data } = useQuery({
    ...revisionQuestion(variant ?? '', revision ?? 0),
    enabled: variant !== null && revision !== null,
  })
  const model = data?.config.parameters?.model
  return typeof model === 'string' ? model : undefined
}

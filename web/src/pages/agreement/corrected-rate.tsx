// The pass rate of the judge, corrected by what people said about some of its rows.
import type { Agreement } from 'assay-client'
import { formatDecimal, pluralize } from '../../format/numbers.ts'
import type { JudgeNames } from './names.ts'
import styles from './page.module.css'

interface CorrectedRateProps {
  rate: NonNullable<Agreement['corrected_pass_rate']>
  names: JudgeNames
  warning: string | undefined
}

const percent = (share: number) => formatDecimal(share * 100, 0)

export function CorrectedRate({ rate, names, warning }: CorrectedRateProps) {
  const { corrected, interval, pass_rate, rows, judged } = rate
  const [low = 0, high = 1] = interval
  return (
    <section aria-label="Corrected pass rate" className={styles.corrected}>
      <p>
        <span className="quiet">Pass rate</span>
        <strong className={styles.large}>{percent(corrected)} %</strong>
        <span className="quiet">
          {percent(low)} to {percent(high)}
        </span>
      </p>
      <p className="muted">
        <bdi>{names.evaluator}</bdi> says{' '}
        <strong>{pass_rate === null ? 'nothing' : `${formatDecimal(pass_rate * 100, 1)} %`}</strong> on{' '}
        {pluralize(rows, 'row')}. Corrected with {pluralize(judged, 'verdict')} of <bdi>{names.with}</bdi>:{' '}
        <strong>
          {percent(corrected)} % ({percent(low)} to {percent(high)})
        </strong>
        . {warning ?? 'Rows without a verdict are estimated from the square above.'}
      </p>
      <Scale corrected={corrected} interval={[low, high]} judge={pass_rate} />
    </section>
  )
}

interface ScaleProps {
  corrected: number
  interval: [low: number, high: number]
  judge: number | null
}

/** Both rates and the interval, from a round percentage below them to 100 %. Decoration: the sentence has all numbers. */
function Scale({ corrected, interval: [low, high], judge }: ScaleProps) {
  const start = Math.floor(Math.min(low, judge ?? low) * 10) / 10
  const place = (share: number) => `${((share - start) / Math.max(0.1, 1 - start)) * 100}%`
  return (
    <svg aria-hidden="true" width="100%" height={44} className={styles.scale}>
      <line x1="0" x2="100%" y1={22} y2={22} className={styles.axis} />
      <line x1={place(low)} x2={place(high)} y1={22} y2={22} className={styles.range} />
      <circle cx={place(corrected)} cy={22} r={5} className={styles.point} />
      {judge !== null && (
        <line x1={place(judge)} x2={place(judge)} y1={14} y2={30} className={styles.judge} />
      )}
      <text x={place(corrected)} y={10} textAnchor="middle" className={styles.strongLabel}>
        {percent(corrected)}
      </text>
      <text x="0" y={42}>
        {percent(start)}
      </text>
      <text x="100%" y={42} textAnchor="end">
        100
      </text>
    </svg>
  )
}

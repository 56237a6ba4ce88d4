// How well a judge and people agree: rates with their 95 % confidence intervals, and in words.
import { useQuery } from '@tanstack/react-query'
import type { Agreement } from 'assay-client'
import type { ReactNode } from 'react'
import { assay } from '../../api/client.ts'
import { useRestriction } from '../../api/restriction.ts'
import { agreementWord } from '../../format/agreement-word.ts'
import { formatCount, formatDecimal, pluralize } from '../../format/numbers.ts'
import { reviewsQuery } from '../../queries/reviews.ts'
import { Box } from '../../ui/cards/box.tsx'
import table from '../../ui/table.module.css'
import type { JudgeNames } from './names.ts'
import styles from './page.module.css'

type Verdicts = NonNullable<Agreement['verdicts']>

interface RatesProps {
  verdicts: Verdicts
  names: JudgeNames
  /** Who gives the verdicts that count as the truth. */
  truthName: string
  evaluationId: string
}

export function Rates({ verdicts, names, truthName, evaluationId }: RatesProps) {
  const { n, both_pass, both_fail, only_with, kappa, interval } = verdicts
  const passed = both_pass + only_with
  const usual = passed * 2 >= n ? 'pass' : 'fail'
  const base = Math.max(passed, n - passed) / n
  const failed = n - passed
  return (
    <Box title="How well they agree" detail="95 % confidence interval">
      <table className={`${table.table} ${styles.rates}`}>
        <tbody>
          <Rate name="Agreement" value={percentText(verdicts.agreement)}>
            {percentRange(verdicts.agreement_interval)} Always saying {usual} would reach {percent(base)}
            &nbsp;%.
          </Rate>
          <Rate name="Kappa" value={kappa === null ? 'none' : twoDecimals(kappa)}>
            {kappa === null
              ? 'All verdicts of one of them are equal.'
              : `${capitalized(agreementWord(kappa) ?? '')}. ${kappaRange(interval)}`}
          </Rate>
          <Rate name="Finds failures" value={percentText(verdicts.specificity)}>
            {percentRange(verdicts.specificity_interval)} {formatCount(both_fail)} of{' '}
            {pluralize(failed, 'row')} that <bdi>{truthName}</bdi> failed.
          </Rate>
          <Rate name="Keeps passes" value={percentText(verdicts.recall)}>
            {percentRange(verdicts.recall_interval)} {formatCount(both_pass)} of {pluralize(passed, 'row')}{' '}
            that <bdi>{truthName}</bdi> passed.
          </Rate>
          <ReviewerKappa evaluationId={evaluationId} evaluator={names.with} />
        </tbody>
      </table>
    </Box>
  )
}

function Rate({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={`${table.numeric} ${styles.value}`}>{value}</td>
      <td className="muted">{children}</td>
    </tr>
  )
}

/** No judge can be expected to agree with people better than they agree with each other. */
function ReviewerKappa({ evaluationId, evaluator }: { evaluationId: string; evaluator: string }) {
  const isRestricted = useRestriction() !== null
  const { data: reviews } = useQuery({ ...reviewsQuery(evaluationId), enabled: !isRestricted })
  const review = reviews?.find(({ questions }) =>
    questions.some((question) => question.evaluator === evaluator),
  )
  const { data: report } = useQuery({
    queryKey: ['review', review?.id, 'report'],
    queryFn: ({ signal }) => assay.getReview(review?.id ?? '', { signal }),
    enabled: review !== undefined,
  })
  const pairs = report?.results.find((result) => result.evaluator === evaluator)?.pairs ?? []
  const [pair] = pairs.filter(({ kappa }) => kappa !== null).toSorted((a, b) => b.rows - a.rows)
  if (!pair || pair.kappa === null) return null
  return (
    <Rate name="People, kappa" value={twoDecimals(pair.kappa)}>
      {pair.reviewers.join(' and ')} on {pluralize(pair.rows, 'row')}: the practical ceiling.
    </Rate>
  )
}

type Interval = number[] | null

const percent = (share: number) => formatDecimal(share * 100, 0)
const percentText = (share: number | null) => (share === null ? 'none' : `${percent(share)} %`)
const twoDecimals = (value: number) => formatDecimal(value, 2, 2)
const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

function percentRange(interval: Interval): string {
  return interval ? `${percent(interval[0] ?? 0)} to ${percent(interval[1] ?? 1)}.` : ''
}

/** "0.28 to 0.85: fair to almost perfect." */
function kappaRange(interval: Interval): string {
  if (!interval) return ''
  const [low = 0, high = 1] = interval
  const words = [...new Set([low, high].map(agreementWord))]
  return `${twoDecimals(low)} to ${twoDecimals(high)}: ${words.join(' to ')}.`
}

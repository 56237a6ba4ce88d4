// What the results of a review say: progress, agreement of reviewers, and how precisely the pass rate is known.
import type { ReviewReport } from 'assay-client'
import { agreementWord } from '../../../format/agreement-word.ts'
import { formatList } from '../../../format/list.ts'
import { formatCount, formatDecimal, pluralize } from '../../../format/numbers.ts'
import { preferenceText } from '../../../format/preference-text.ts'
import { questionText } from '../form/choice-field.tsx'
import styles from './overview.module.css'
import { type AnswerResult, percent } from './results.ts'

export function Sentences({ report }: { report: ReviewReport }) {
  const { progress, results, questions, reviewers } = report
  return (
    <>
      <p className={styles.conclusion}>
        <strong>
          {formatCount(progress.complete)} of {pluralize(progress.rows, 'row')}
        </strong>{' '}
        {progress.complete === 1 ? 'is' : 'are'} complete
        {reviewers.length > 0 && `, answered by ${formatList(reviewers.map(({ name }) => name))}`}.{' '}
        {progress.disputed > 0 && (
          <a href="#disputed" className="count-link">
            {pluralize(progress.disputed, 'row')} {progress.disputed === 1 ? 'is' : 'are'} disputed
          </a>
        )}
        {progress.disputed > 0 && '.'}
      </p>
      {results.map((result) => {
        const question = questions.find(({ evaluator }) => evaluator === result.evaluator)
        return (
          <p key={result.evaluator} className="muted">
            {results.length > 1 && question && <strong>{questionText(question)} </strong>}
            <AgreementSentence result={result} /> <PassRate result={result} />
            {result.preference && preferenceText('the candidate', result.preference)}
          </p>
        )
      })}
    </>
  )
}

function AgreementSentence({ result: { agreeing, overlapping, pairs } }: { result: AnswerResult }) {
  if (overlapping === 0) return null
  const [pair] = pairs
  const word = pairs.length === 1 && pair ? agreementWord(pair.kappa) : undefined
  const names = pairs.length === 1 && pair ? formatList(pair.reviewers) : 'Reviewers'
  return (
    <>
      {names} agree on{' '}
      <strong>
        {formatCount(agreeing)} of {pluralize(overlapping, 'row')}
      </strong>{' '}
      ({percent(agreeing / overlapping)} %)
      {word && pair?.interval ? (
        <>
          : <strong>{word} agreement</strong>, kappa {formatDecimal(pair.kappa ?? 0, 2, 2)} (95 % interval{' '}
          {formatDecimal(pair.interval[0] ?? 0, 2, 2)} to {formatDecimal(pair.interval[1] ?? 0, 2, 2)}).
        </>
      ) : (
        '.'
      )}
    </>
  )
}

function PassRate({ result }: { result: AnswerResult }) {
  const { pass_rate, pass_rate_interval: interval, precision, expected_precision: expected } = result
  if (pass_rate === null) return null
  return (
    <>
      Pass rate by people: <strong>{percent(pass_rate)} %</strong>
      {interval && ` (${percent(interval[0] ?? 0)} to ${percent(interval[1] ?? 0)})`}.
      {precision && expected && (
        <>
          {' '}
          After {pluralize(precision.rows, 'row')} it is known to ±&nbsp;{percent(precision.margin)} points;{' '}
          {formatCount(expected.rows - precision.rows)} more give ±&nbsp;{percent(expected.margin)}.
        </>
      )}
    </>
  )
}

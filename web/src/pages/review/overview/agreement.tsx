// The agreement of each two reviewers, with its interval and in words.
import { agreementWord } from '../../../format/agreement-word.ts'
import { formatCount, formatDecimal } from '../../../format/numbers.ts'
import { Box, BoxFooter } from '../../../ui/cards/box.tsx'
import table from '../../../ui/table.module.css'
import styles from './overview.module.css'
import { type AnswerResult, percent } from './results.ts'

export function Agreement({ result, name }: { result: AnswerResult; name: string | undefined }) {
  const isNumber = result.type === 'number'
  const hasKappa = result.pairs.some(({ kappa }) => kappa !== null)
  const two = (value: number | null) => (value === null ? '' : formatDecimal(value, 2, 2))
  return (
    <Box
      title="Agreement between reviewers"
      name={name}
      detail={hasKappa ? 'kappa, 95 % confidence interval' : undefined}
    >
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Pair</th>
            <th scope="col" className={table.numeric}>
              Rows
            </th>
            <th scope="col" className={table.numeric}>
              Agree <span className={table.unit}>%</span>
            </th>
            {hasKappa && (
              <>
                <th scope="col" className={table.numeric}>
                  Kappa
                </th>
                <th scope="col" className={`${table.numeric} ${styles.wide}`}>
                  95 % interval
                </th>
                <th scope="col" className={styles.wide}>
                  In words
                </th>
              </>
            )}
            {isNumber && (
              <>
                <th scope="col" className={table.numeric}>
                  Rank correlation
                </th>
                <th scope="col" className={table.numeric}>
                  Mean difference
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {result.pairs.map((pair) => (
            <tr key={pair.reviewers.join('\n')}>
              <th scope="row">{pair.reviewers.join(' and ')}</th>
              <td className={table.numeric}>{formatCount(pair.rows)}</td>
              <td className={table.numeric}>{pair.agreement !== null && percent(pair.agreement)}</td>
              {hasKappa && (
                <>
                  <td className={table.numeric}>{two(pair.kappa)}</td>
                  <td className={`${table.numeric} ${styles.wide} quiet`}>
                    {pair.interval?.map(two).join(' to ')}
                  </td>
                  <td className={styles.wide}>{agreementWord(pair.kappa)}</td>
                </>
              )}
              {isNumber && (
                <>
                  <td className={table.numeric}>{two(pair.rank_correlation)}</td>
                  <td className={table.numeric}>{two(pair.mean_absolute_difference)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {result.type === 'verdict' && !hasKappa && (
        <BoxFooter>Kappa needs 20 rows with two verdicts that are not all equal.</BoxFooter>
      )}
    </Box>
  )
}

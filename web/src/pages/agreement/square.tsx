// The four counts of a judge and people. Each count lists its rows.
import { Link } from '@tanstack/react-router'
import type { Agreement } from 'assay-client'
import { formatCount } from '../../format/numbers.ts'
import { Box } from '../../ui/cards/box.tsx'
import type { JudgeNames } from './names.ts'
import styles from './page.module.css'
import type { RowKind } from './search-params.ts'

interface SquareProps {
  verdicts: NonNullable<Agreement['verdicts']>
  names: JudgeNames
  truthName: string
}

export function Square({ verdicts, names, truthName }: SquareProps) {
  const { n, both_pass, both_fail, only_evaluator, only_with } = verdicts
  return (
    <Box title={`Judge and ${truthName}`} detail="rows, click to list them">
      <table className={styles.square}>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <bdi>{names.with}</bdi>: pass
            </th>
            <th scope="col">
              <bdi>{names.with}</bdi>: fail
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <bdi>{names.evaluator}</bdi>: pass
            </th>
            <Count kind="both-pass" count={both_pass} />
            <Count kind="false-pass" count={only_evaluator} />
            <td>{formatCount(both_pass + only_evaluator)}</td>
          </tr>
          <tr>
            <th scope="row">
              <bdi>{names.evaluator}</bdi>: fail
            </th>
            <Count kind="false-fail" count={only_with} />
            <Count kind="both-fail" count={both_fail} />
            <td>{formatCount(only_with + both_fail)}</td>
          </tr>
          <tr>
            <td />
            <td>{formatCount(both_pass + only_with)}</td>
            <td>{formatCount(only_evaluator + both_fail)}</td>
            <td>{formatCount(n)}</td>
          </tr>
        </tbody>
      </table>
    </Box>
  )
}

const LABELS = {
  'both-pass': 'agree',
  'both-fail': 'agree',
  'false-pass': 'false pass',
  'false-fail': 'false fail',
}

function Count({ kind, count }: { kind: RowKind & keyof typeof LABELS; count: number }) {
  const isError = (kind === 'false-pass' || kind === 'false-fail') && count > 0
  return (
    <td>
      <Link
        from="/evaluations/$evaluationId/agreement"
        search={(previous) => ({ ...previous, kind })}
        className={isError ? `${styles.count} ${styles.error}` : styles.count}
      >
        <strong>{formatCount(count)}</strong>
        {LABELS[kind]}
      </Link>
    </td>
  )
}

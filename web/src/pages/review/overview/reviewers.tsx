// The progress of each reviewer, and who has a link.
import { useQuery } from '@tanstack/react-query'
import type { ReviewReport } from 'assay-client'
import { useCanShare } from '../../../api/key.ts'
import { formatCount } from '../../../format/numbers.ts'
import { formatDay } from '../../../format/times.ts'
import { sharesQuery } from '../../../share/link-list.tsx'
import { Box, BoxFooter } from '../../../ui/cards/box.tsx'
import table from '../../../ui/table.module.css'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import styles from './overview.module.css'

export function Reviewers({ report }: { report: ReviewReport }) {
  const canShare = useCanShare()
  const { data: shares = [] } = useQuery({ ...sharesQuery, enabled: canShare })
  const { progress } = report
  const links = shares.filter(({ confined_to }) => confined_to.review_id === report.id)
  const linkOf = (name: string) => links.find((link) => link.name === name)
  const invited = new Set(links.map(({ name }) => name ?? ''))
  const waiting = [...invited].filter((name) => report.reviewers.every((reviewer) => reviewer.name !== name))
  const rows = [
    ...report.reviewers,
    ...waiting.map((name) => ({ name, answered: 0, rows_per_hour: null, last_answer_at: null })),
  ]
  return (
    <Box
      title="Progress"
      detail={`${formatCount(progress.answered)} answered, ${formatCount(progress.complete)} complete of ${formatCount(progress.rows)}`}
    >
      {rows.length === 0 ? (
        <BoxFooter>
          No one has answered yet. Create a link for each reviewer with <em>Invite a reviewer</em>.
        </BoxFooter>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Reviewer</th>
              <th scope="col" className={table.numeric}>
                Rows
              </th>
              <th scope="col" className={table.numeric}>
                Per hour
              </th>
              <th scope="col">Last answer</th>
              {canShare && (
                <th scope="col" className={styles.wide}>
                  Link
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, answered, rows_per_hour, last_answer_at }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td className={table.numeric}>{formatCount(answered)}</td>
                <td className={table.numeric}>
                  {rows_per_hour !== null && formatCount(Math.round(rows_per_hour))}
                </td>
                <td>{last_answer_at !== null && <TimeAgo time={last_answer_at} />}</td>
                {canShare && (
                  <td className={`quiet ${styles.wide}`}>
                    {linkOf(name) ? `until ${formatDay(linkOf(name)?.expires_at ?? '')}` : 'none'}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Box>
  )
}

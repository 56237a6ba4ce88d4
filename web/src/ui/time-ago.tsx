// A relative time, with the exact time as a tooltip.
import { formatTimeAgo } from '../format/times.ts'

export function TimeAgo({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {formatTimeAgo(time)}
    </time>
  )
}

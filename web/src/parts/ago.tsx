// How long ago something was, with the exact time at hand.
import { ago } from '../format/times.ts'

export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {ago(time)}
    </time>
  )
}

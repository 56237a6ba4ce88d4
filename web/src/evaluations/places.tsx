// Places in a file and what was found there: the first few, and how many there are.
import { count as grouped } from '../format/numbers.ts'

const LISTED = 5

interface PlacesProps {
  title: string
  /** How many there are in all. */
  count: number
  places: { record?: number | null; line: number; pointer: string; detail: string }[]
}

export function Places({ title, count, places }: PlacesProps) {
  if (count === 0) return null
  const more = count - Math.min(LISTED, places.length)
  return (
    <div>
      <p>{title}:</p>
      <ul>
        {places.slice(0, LISTED).map((place, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <span className="soft">
              {place.record != null && `record ${grouped(place.record)}, `}line {grouped(place.line)}
              {place.pointer !== '' && ` at ${place.pointer}`}:
            </span>{' '}
            {place.detail}
          </li>
        ))}
        {more > 0 && <li className="soft">and {grouped(more)} more</li>}
      </ul>
    </div>
  )
}

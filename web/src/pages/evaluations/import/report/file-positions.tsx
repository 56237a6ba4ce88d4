// A list of messages with their positions in a file: the first few, and how many more there are.
import { formatCount as grouped } from '../../../../format/numbers.ts'
import { pageText } from './report-texts.ts'

const MAX_LISTED = 20

interface FilePosition {
  /** Null for the whole file. */
  record?: number | null
  line: number
  pointer: string
  detail: string
}

interface FilePositionsProps {
  title: string
  /** The total number, which can be more than `positions` contains. */
  count: number
  positions: FilePosition[]
}

export function FilePositions({ title, count, positions }: FilePositionsProps) {
  if (count === 0) return null
  const hiddenCount = count - Math.min(MAX_LISTED, positions.length)
  return (
    <div>
      <p>{title}:</p>
      <ul>
        {positions.slice(0, MAX_LISTED).map((position, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            {!isAboutFile(position) && (
              <span className="muted">
                {position.record != null && `record ${grouped(position.record)}, `}line{' '}
                {grouped(position.line)}
                {position.pointer !== '' && ` at ${position.pointer}`}:{' '}
              </span>
            )}
            {pageText(position.detail)}
          </li>
        ))}
        {hiddenCount > 0 && <li className="muted">and {grouped(hiddenCount)} more</li>}
      </ul>
    </div>
  )
}

function isAboutFile({ record, line, pointer }: FilePosition): boolean {
  return record === null && line === 1 && pointer === ''
}

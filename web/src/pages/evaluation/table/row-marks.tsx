// The content of the number column: the original number of the row, and icons if it has a note or is pinned.
import { MessageSquareText, Pin } from 'lucide'
import type { Row } from '../../../results/cells.ts'
import styles from '../../../table/table.module.css'
import { Icon } from '../../../ui/icon.tsx'

export function rowNumber({ note, is_pinned, position }: Row) {
  const number = position + 1
  if (!note && !is_pinned) return number
  return (
    <>
      <span className={styles.marks}>
        {note && (
          <span data-tooltip={note.length > 300 ? `${note.slice(0, 300)}…` : note}>
            <Icon icon={MessageSquareText} size={12} />
            <span className="sr-only">note</span>
          </span>
        )}
        {is_pinned && (
          <span data-tooltip="Pinned">
            <Icon icon={Pin} size={12} />
            <span className="sr-only">pinned</span>
          </span>
        )}
      </span>{' '}
      {number}
    </>
  )
}

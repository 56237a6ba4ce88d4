// A kind of rows: how many they are, and the way to see just those.
import type { ReactNode } from 'react'
import { count } from '../format/numbers.ts'
import styles from './filters.module.css'

interface ChipProps {
  name: string
  title?: string
  sign?: ReactNode
  rows: number
  isChosen: boolean
  onChoose: () => void
}

export function Chip({ name, title, sign, rows, isChosen, onChoose }: ChipProps) {
  return (
    <button type="button" aria-pressed={isChosen} title={title} className={styles.chip} onClick={onChoose}>
      {sign && <span aria-hidden="true">{sign} </span>}
      {name} <span className={styles.rows}>{count(rows)}</span>
    </button>
  )
}

// Placeholders in the shape of what is loading.
import styles from './skeleton.module.css'

/** A text that is loading. The width is a number of characters. */
export function Skeleton({ width }: { width: number }) {
  return (
    <span
      aria-hidden="true"
      className={styles.skeleton}
      ref={(element) => element?.style.setProperty('width', `${width}ch`)}
    />
  )
}

const WIDTHS = [28, 9, 12, 8, 10]

/** Rows of a table that are loading. */
export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true" className={styles.rows}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity
        <div key={index} className={styles.row}>
          {WIDTHS.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  )
}

// A bar of a ranked list, next to its count.
import styles from './charts.module.css'

/** `share` is that of the longest bar. */
export function Bar({ share }: { share: number }) {
  return (
    <span
      aria-hidden="true"
      className={styles.bar}
      ref={(element) => element?.style.setProperty('width', `max(2px, ${100 * share}%)`)}
    />
  )
}

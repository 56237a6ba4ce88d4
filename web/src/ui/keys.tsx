// Key hints next to the text of a control. Screen readers announce aria-keyshortcuts of the control instead.
import { keyLabel } from '../state/shortcuts.ts'
import styles from './keys.module.css'

export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span aria-hidden="true" className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key}>{keyLabel(key)}</kbd>
      ))}
    </span>
  )
}

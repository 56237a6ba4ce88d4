// Key hints next to the text of a control. Screen readers announce aria-keyshortcuts of the control instead.
import { keyLabel } from '../state/shortcuts.ts'
import styles from './keys.module.css'

export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span aria-hidden="true" className={styles.keys}>
      <KeyCaps keys={keys} />
    </span>
  )
}

/** A key cap for each key. A sequence ("g e") has two. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  const caps = keys.flatMap((key) => key.split(' ').map((part, index) => ({ id: `${key} ${index}`, part })))
  return caps.map(({ id, part }) => <kbd key={id}>{keyLabel(part)}</kbd>)
}

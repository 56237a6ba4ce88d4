// What a revision changed in a line or two: the first changes, and how many more there are.
import { count } from '../format/numbers.ts'
import type { Changed } from './changes.ts'
import styles from './variant.module.css'

const SHOWN = 3

export function ChangeWords({ changed: { phrases, more } }: { changed: Changed }) {
  const left = phrases.length - SHOWN + more
  return (
    <span className={styles.changes}>
      {phrases.slice(0, SHOWN).map(({ path, words }) => (
        <span key={`${path} ${words}`}>
          {path !== undefined && <code>{path}</code>} <bdi>{words}</bdi>
        </span>
      ))}
      {left > 0 && <span className="soft">+ {count(left)} more</span>}
    </span>
  )
}

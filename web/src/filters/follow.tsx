// What the chips beside it count by, to choose from.
import styles from './filters.module.css'

interface FollowProps {
  /** As it stands before the choice: "of". */
  word: string
  label: string
  chosen: string | undefined
  choices: readonly { value: string; name: string }[]
  onChoose: (value: string) => void
}

export function Follow({ word, label, chosen, choices, onChoose }: FollowProps) {
  return (
    <label className={styles.follow}>
      <span className="soft">{word}</span>
      <select aria-label={label} value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {choices.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

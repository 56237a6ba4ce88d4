// One choice of a few, as adjacent buttons.
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

interface SegmentsProps<Value extends string> {
  /** What the choice is about, for screen readers. */
  label: string
  options: readonly { value: Value; label: ReactNode; title?: string | undefined }[]
  value: Value
  onChange: (value: Value) => void
}

export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset className={styles.group}>
      <legend className="sr-only">{label}</legend>
      <div className={styles.segments}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={styles.segment}
            aria-pressed={option.value === value}
            data-tooltip={option.title}
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

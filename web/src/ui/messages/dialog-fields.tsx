// Fields of dialogs: a label above a field, and numbers in a line.
import { type ReactNode, useId } from 'react'
import styles from './dialog-fields.module.css'

interface FieldProps {
  label: string
  hint?: string
  children: (id: string) => ReactNode
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label} {hint && <span className="quiet">{hint}</span>}
      </label>
      {children(id)}
    </div>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  min: number
  max?: number
  onChange: (value: string) => void
}

export function NumberField({ label, value, onChange, ...limits }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        required
        {...limits}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

export function NumberFields({ children }: { children: ReactNode }) {
  return <div className={styles.numbers}>{children}</div>
}

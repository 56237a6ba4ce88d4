// Colors and type sizes: the tokens of tokens.css.
import styles from './page.module.css'

const COLORS = [
  'background',
  'subtle',
  'raised',
  'hover',
  'sunken',
  'line',
  'line-strong',
  'text',
  'text-muted',
  'text-quiet',
  'accent',
  'accent-fill',
  'selected',
  'better',
  'worse',
  'warning',
  'removed-background',
  'added-background',
  'chart-line',
  'chart-bar',
]
const SIZES = [11, 12, 13, 14, 16, 20, 28]

export function Colors() {
  return (
    <div className={styles.line}>
      {COLORS.map((name) => (
        <div key={name} className={styles.color}>
          <span style={{ background: `var(--${name})` }} />
          {name}
        </div>
      ))}
    </div>
  )
}

export function Type() {
  return SIZES.map((size) => (
    <p key={size} style={{ fontSize: `var(--text-${size})`, lineHeight: 1.5 }}>
      {size} Support answer <strong>r5: three sentences</strong> <span className="muted">muted</span>{' '}
      <span className="quiet">quiet</span> <span className="number">1,234.5</span>
    </p>
  ))
}

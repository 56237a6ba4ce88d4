// Chooses how tall rows are.
import styles from './densities.module.css'
import { DENSITIES, type Density } from './density.ts'

interface DensitiesProps {
  density: Density
  onChoose: (density: Density) => void
}

export function Densities({ density: chosen, onChoose }: DensitiesProps) {
  return (
    <div role="group" aria-label="Height of rows" className={styles.densities}>
      {DENSITIES.map((density) => (
        <button
          key={density}
          type="button"
          aria-pressed={chosen === density}
          aria-label={density}
          title={`${density} (d)`}
          onClick={() => onChoose(density)}
        >
          {density[0]}
        </button>
      ))}
    </div>
  )
}

// Selects the row height.

import { DENSITIES, type Density } from '../state/row-params.ts'
import styles from './density-picker.module.css'

interface DensityPickerProps {
  density: Density
  onChoose: (density: Density) => void
}

export function DensityPicker({ density: chosen, onChoose }: DensityPickerProps) {
  return (
    <div role="group" aria-label="Row height" className={`button-group ${styles.densities}`}>
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

// The display settings of a table: row height, settings of the page, and columns.
import type { ReactNode } from 'react'
import { DENSITIES, type Density, useChangePreference } from '../state/row-params.ts'
import { MenuHeading, MenuSeparator } from '../ui/menus/menu.tsx'
import { Segments } from '../ui/tabs.tsx'
import type { ColumnChoice } from './columns/column-choice.ts'
import { ColumnList } from './columns/column-list.tsx'
import styles from './display-settings.module.css'

interface DisplaySettingsProps {
  density: Density
  choice: ColumnChoice
  /** Labels of the columns by kind. */
  types: Record<string, { label: string }>
  /** Menu items of the page. */
  children?: ReactNode
}

export function DisplaySettings({ density, choice, types, children }: DisplaySettingsProps) {
  const prefer = useChangePreference()
  return (
    <div>
      <MenuHeading>Row height</MenuHeading>
      <div className={styles.densities}>
        <Segments
          label="Row height"
          value={density}
          options={DENSITIES.map((value) => ({ value, label: value }))}
          onChange={(value) => prefer('density', value)}
        />
      </div>
      {children && <MenuSeparator />}
      {children}
      <MenuSeparator />
      <MenuHeading>Columns</MenuHeading>
      <ColumnList choice={choice} types={types} />
    </div>
  )
}

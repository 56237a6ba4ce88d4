// The items of the menu with further actions.
import { Columns3, Download, Trash2 } from 'lucide'
import { lazyModule } from '../../../api/lazy-modules.ts'
import { MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import type { EvaluationList } from '../page-state.ts'

const loadExport = lazyModule(() => import('./export-rows.ts'))

interface MoreItemsProps {
  list: EvaluationList
  onColumns: () => void
  /** Undefined if there is no sample data, or the key cannot remove it. */
  onRemoval: (() => void) | undefined
}

export function MoreItems({ list, onColumns, onRemoval }: MoreItemsProps) {
  const save = async (format: 'csv' | 'json') => (await loadExport()).saveEvaluations(list.loadAll, format)
  return (
    <MenuItems>
      <MenuItem icon={Columns3} onClick={onColumns}>
        Columns…
      </MenuItem>
      <MenuItem icon={Download} disabled={list.rows.length === 0} onClick={() => save('csv')}>
        Export as CSV
      </MenuItem>
      <MenuItem icon={Download} disabled={list.rows.length === 0} onClick={() => save('json')}>
        Export as JSON
      </MenuItem>
      {onRemoval && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} onClick={onRemoval}>
            Remove sample data…
          </MenuItem>
        </>
      )}
    </MenuItems>
  )
}

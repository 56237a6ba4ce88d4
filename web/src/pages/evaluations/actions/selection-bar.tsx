// The floating bar with the actions for the selected evaluations.
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Download, GitCompareArrows, X } from 'lucide'
import { useCanWrite } from '../../../api/key.ts'
import { lazyModule } from '../../../api/lazy-modules.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { sortBaselineFirst } from '../../../queries/evaluations.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { baselineIdOf } from '../groups.ts'
import type { EvaluationList, RowSelection } from '../page-state.ts'
import { BaselineMenu } from './baseline-menu.tsx'
import styles from './selection-bar.module.css'

const loadExport = lazyModule(() => import('./export-rows.ts'))

export function SelectionBar({ list, selectedIds, onSelect }: { list: EvaluationList } & RowSelection) {
  const mayWrite = useCanWrite()
  const selected = list.rows.filter(({ id }) => selectedIds.has(id))
  useShortcuts('page', {
    ...(selected.length > 0 && { Escape: { label: 'Clear the selection', run: () => onSelect(new Set()) } }),
  })
  if (selected.length === 0) return null
  const label = pluralize(selected.length, 'evaluation')
  const save = async (format: 'csv' | 'json') => (await loadExport()).saveEvaluations(() => selected, format)
  return (
    <section aria-label="Selection" className={styles.bar}>
      <strong>{formatCount(selected.length)} selected</strong>
      <CompareButton evaluations={selected} />
      {mayWrite && <BaselineMenu evaluations={selected} />}
      <Menu label="Export selected" icon={Download}>
        <MenuItems>
          <MenuItem onClick={() => save('csv')}>CSV, {label}</MenuItem>
          <MenuItem onClick={() => save('json')}>JSON, {label}</MenuItem>
        </MenuItems>
      </Menu>
      <IconButton icon={X} label="Clear selection" shortcut="Esc" onClick={() => onSelect(new Set())} />
    </section>
  )
}

/** The limit of the API. */
const MAX_COMPARED_EVALUATIONS = 4

/** Compares the selected evaluations, or a single one with its baseline. */
function CompareButton({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate()
  const [firstEvaluation] = evaluations
  const baseline = firstEvaluation && baselineIdOf(firstEvaluation)
  const ids =
    evaluations.length === 1 && firstEvaluation && baseline !== undefined
      ? [baseline, firstEvaluation.id]
      : sortBaselineFirst(evaluations)
  const isDisabled = ids.length > MAX_COMPARED_EVALUATIONS
  const compare = () => {
    if (!isDisabled) void navigate({ to: '/compare', search: { evaluation: ids } })
  }
  useShortcuts('page', { c: { label: 'Compare the selected evaluations', run: compare } })
  return (
    <Button
      icon={GitCompareArrows}
      aria-disabled={isDisabled}
      tooltip={isDisabled ? `Select at most ${MAX_COMPARED_EVALUATIONS} evaluations` : 'Compare row by row'}
      shortcut="c"
      onClick={compare}
    >
      Compare
    </Button>
  )
}

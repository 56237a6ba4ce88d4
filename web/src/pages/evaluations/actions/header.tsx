// The header of the page: its title, the counts, the import button, and the menu with all other actions and the columns.
import { Columns3, Download, Ellipsis, Trash2, Upload } from 'lucide'
import { useState } from 'react'
import { useCanWrite } from '../../../api/key.ts'
import { lazyModule } from '../../../api/lazy-modules.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { isEvaluatorMeasure } from '../../../groups/groups.ts'
import { setPreference, usePreference } from '../../../state/preferences.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { closeDialog, Dialog, DialogButtons } from '../../../ui/messages/dialog.tsx'
import { isImportDialogOpen } from '../import/uploads.ts'
import type { EvaluationList, Overview } from '../page-state.ts'
import { RemovalDialog } from '../sample/removal-dialog.tsx'
import { isSampleEvaluation } from '../sample/sample-contents.ts'
import { visibleColumnsOf } from '../table/column-layout.ts'
import { COLUMNS_PREFERENCE, type Column, readColumnChoices } from '../table/columns.ts'
import styles from './header.module.css'

interface HeaderProps {
  list: EvaluationList
  overview: Overview
}

export function Header({ list, overview }: HeaderProps) {
  const mayWrite = useCanWrite()
  const [dialog, setDialog] = useState<'columns' | 'removal'>()
  const hasSample = overview.evaluations?.some(isSampleEvaluation) ?? false
  const close = () => setDialog(undefined)
  useShortcuts(
    'page',
    {},
    { 'Import results': () => isImportDialogOpen.set(true), 'Columns…': () => setDialog('columns') },
  )
  return (
    <header className={styles.header}>
      <h1>Evaluations</h1>
      <p className={`quiet ${styles.counts}`}>
        {countsText(overview)}
        {hasSample && <SampleText mayWrite={mayWrite} />}
      </p>
      <Button
        variant="primary"
        icon={Upload}
        tooltip="Import results, or drop files anywhere on the page"
        onClick={() => isImportDialogOpen.set(true)}
      >
        Import
      </Button>
      <Menu label="More actions" icon={Ellipsis} isIconOnly align="end">
        <MoreItems
          list={list}
          onColumns={() => setDialog('columns')}
          onRemoval={mayWrite && hasSample ? () => setDialog('removal') : undefined}
        />
      </Menu>
      {dialog === 'columns' && <ColumnsDialog sections={list.sections} onClose={close} />}
      {dialog === 'removal' && <RemovalDialog onClose={close} />}
    </header>
  )
}

function SampleText({ mayWrite }: { mayWrite: boolean }) {
  return (
    <span
      data-tooltip={
        mayWrite
          ? 'The support assistant of a fictional shop. Remove it in the menu at the right.'
          : 'The support assistant of a fictional shop. To remove it, use a key with the write scope.'
      }
    >
      {' '}
      Sample data is loaded.
    </span>
  )
}

/** "3 variants, 8 evaluations". Empty until both are loaded. */
function countsText({ evaluations, hasMore, variantCount }: Overview): string {
  if (!evaluations) return ''
  const count = evaluations.length
  const parts = [hasMore ? `more than ${formatCount(count)} evaluations` : pluralize(count, 'evaluation')]
  if (variantCount) parts.unshift(pluralize(variantCount, 'variant'))
  return `${parts.join(', ')}.`
}

const loadExport = lazyModule(() => import('./export-rows.ts'))

interface MoreItemsProps {
  list: EvaluationList
  onColumns: () => void
  /** Undefined if there is no sample data, or the key cannot remove it. */
  onRemoval: (() => void) | undefined
}

/** The items of the menu with further actions. */
function MoreItems({ list, onColumns, onRemoval }: MoreItemsProps) {
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

interface ColumnsDialogProps {
  sections: EvaluationList['sections']
  onClose: () => void
}

/** Selects the visible columns of all sections. The selection is stored in this browser. */
function ColumnsDialog({ sections, onClose }: ColumnsDialogProps) {
  const choices = readColumnChoices(usePreference(COLUMNS_PREFERENCE))
  const sectionColumns = sections.map((section) => section.columns)
  const visibleColumns = visibleColumnsOf(sectionColumns, choices, document.body.clientWidth)
  const visibleIds = new Set(visibleColumns.flat().map(({ id }) => id))
  const columns = new Map<string, Column>(sectionColumns.flat().map((column) => [column.id, column]))
  columns.delete('name')
  const fields = [...columns.values()].filter((column) => !isEvaluatorMeasure(column))
  const evaluators = [...columns.values()].filter(isEvaluatorMeasure)
  const choose = (id: string, isVisible: boolean) =>
    setPreference(COLUMNS_PREFERENCE, JSON.stringify({ ...choices, [id]: isVisible }))
  const options = (items: Column[]) =>
    items.map(({ id, title }) => (
      <label key={id}>
        <input
          type="checkbox"
          checked={visibleIds.has(id)}
          onChange={({ target }) => choose(id, target.checked)}
        />
        {title}
      </label>
    ))
  return (
    <Dialog title="Columns" onClose={onClose}>
      <fieldset className={styles.columns}>
        <legend>Fields</legend>
        {options(fields)}
      </fieldset>
      {evaluators.length > 0 && (
        <fieldset className={styles.columns}>
          <legend>Evaluators</legend>
          {options(evaluators)}
        </fieldset>
      )}
      <p className="quiet">Without a choice, the columns that fit are visible.</p>
      <DialogButtons>
        <Button onClick={() => setPreference(COLUMNS_PREFERENCE, undefined)}>Reset</Button>
        <Button variant="primary" onClick={closeDialog}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

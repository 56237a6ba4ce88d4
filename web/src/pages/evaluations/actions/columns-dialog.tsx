// Selects the visible columns of all sections. The selection is stored in this browser.
import { setPreference, usePreference } from '../../../state/preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { closeDialog, Dialog, DialogButtons } from '../../../ui/messages/dialog.tsx'
import { isEvaluatorMeasure } from '../groups.ts'
import type { EvaluationList } from '../page-state.ts'
import { visibleColumnsOf } from '../table/column-layout.ts'
import { COLUMNS_PREFERENCE, type Column, readColumnChoices } from '../table/columns.ts'
import styles from './columns-dialog.module.css'

interface ColumnsDialogProps {
  sections: EvaluationList['sections']
  onClose: () => void
}

export function ColumnsDialog({ sections, onClose }: ColumnsDialogProps) {
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

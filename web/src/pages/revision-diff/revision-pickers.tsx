// Menus for the two revisions of the diff, and a button that swaps them.
import { useNavigate } from '@tanstack/react-router'
import type { Revision } from '../../queries/variants.ts'
import styles from './page.module.css'
import type { RevisionDiffState } from './page-state.ts'

/** Configuration and author names can be of any length. */
const MAX_NAME_LENGTH = 60

export function RevisionPickers({ state }: { state: RevisionDiffState }) {
  const { id, revisions, from: oldSide, to: newSide } = state
  const navigate = useNavigate()
  const openDiff = (from: number, to: number) =>
    void navigate({
      to: '/variants/$variantId/revisions/$from/diff/$to',
      params: { variantId: id, from: String(from), to: String(to) },
      search: true,
    })
  return (
    <span className={styles.pickers}>
      <Picker
        label="Old revision"
        number={oldSide.number}
        revisions={revisions}
        onPick={(number) => openDiff(number, newSide.number)}
      />
      <button type="button" title="Swap" onClick={() => openDiff(newSide.number, oldSide.number)}>
        ⇄<span className="sr-only">Swap revisions</span>
      </button>
      <Picker
        label="New revision"
        number={newSide.number}
        revisions={revisions}
        onPick={(number) => openDiff(oldSide.number, number)}
      />
    </span>
  )
}

interface PickerProps {
  label: string
  number: number
  revisions: Revision[] | undefined
  onPick: (number: number) => void
}

function Picker({ label, number, revisions, onPick }: PickerProps) {
  return (
    <select aria-label={label} value={number} onChange={(event) => onPick(Number(event.target.value))}>
      {revisions ? (
        revisions.toReversed().map(({ revision, modified_by, config }) => (
          <option key={revision} value={revision}>
            r{revision} · {config.config_name.slice(0, MAX_NAME_LENGTH)} ·{' '}
            {modified_by.slice(0, MAX_NAME_LENGTH)}
          </option>
        ))
      ) : (
        <option value={number}>r{number}</option>
      )}
    </select>
  )
}

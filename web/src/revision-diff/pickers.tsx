// The two revisions that are compared: each can be any of the variant, and they can change places.
import { useNavigate } from '@tanstack/react-router'
import type { Search } from '../search.ts'
import type { Revision } from '../variant/questions.ts'
import styles from './page.module.css'
import type { ShownDiff } from './shown.ts'

/** Names of configurations may be of any length. */
const LONGEST_NAME = 60

export function Pickers({ shown: { id, revisions, old, now } }: { shown: ShownDiff }) {
  const navigate = useNavigate()
  const open = (from: number, to: number) =>
    void navigate({
      to: '/variants/$variantId/revisions/$from/diff/$to',
      params: { variantId: id, from: String(from), to: String(to) },
      search: (search: Search) => search,
    })
  return (
    <span className={styles.pickers}>
      <Picker
        label="Old revision"
        number={old.number}
        revisions={revisions}
        onPick={(number) => open(number, now.number)}
      />
      <button type="button" title="Swap the two" onClick={() => open(now.number, old.number)}>
        ⇄<span className="unseen">Swap the two revisions</span>
      </button>
      <Picker
        label="New revision"
        number={now.number}
        revisions={revisions}
        onPick={(number) => open(old.number, number)}
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
            r{revision} · {config.config_name.slice(0, LONGEST_NAME)} · {modified_by.slice(0, LONGEST_NAME)}
          </option>
        ))
      ) : (
        <option value={number}>r{number}</option>
      )}
    </select>
  )
}

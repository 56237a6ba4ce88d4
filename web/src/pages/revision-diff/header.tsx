// Header of the revision diff: breadcrumb, pickers for the two revisions, number of changes, and actions.
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, GitCompareArrows } from 'lucide'
import { useCanRead } from '../../api/restriction.ts'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { Breadcrumb } from '../../navigation/links.tsx'
import type { Revision } from '../../queries/variants.ts'
import shared from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceMenu } from '../../ui/menus/choice-menu.tsx'
import styles from './page.module.css'
import type { RevisionDiffParams } from './page-params.ts'
import type { RevisionDiffState } from './page-state.ts'

/** Configuration and author names can be of any length. */
const MAX_NAME_LENGTH = 60

export function Header({ state, params }: { state: RevisionDiffState; params: RevisionDiffParams }) {
  const { id, variant, from, to } = state
  const call = {
    path: `/api/variants/${encodeURIComponent(id)}/revisions/${from.number}/diff/${to.number}`,
    client: `diffVariantRevisions(${JSON.stringify(id)}, ${from.number}, ${to.number})`,
  }
  return (
    <header className={shared.header}>
      <div className={shared.title}>
        <Breadcrumb id={id} name={variant?.name} />
        <h1>
          Diff
          <span className="sr-only">
            {' '}
            of r{from.number} and r{to.number}
          </span>
        </h1>
        <RevisionPickers state={state} />
        <span role="status" className="muted">
          {changeCountText(state)}
        </span>
      </div>
      <div className={shared.tools}>
        <CompareLink state={state} />
        <ShareMenu link={() => ({ link: params.link() })} confined_to={{ variant_id: id }} call={call} />
      </div>
    </header>
  )
}

/** Compares the newest evaluations of both revisions, if both have one. */
function CompareLink({ state: { from, to } }: { state: RevisionDiffState }) {
  const canRead = useCanRead()
  const newest = [from, to].flatMap(({ revision }) => revision?.evaluations[0]?.id ?? [])
  const isComparable = new Set(newest).size === 2 && newest.every((id) => canRead('evaluation', id))
  if (!isComparable) return null
  return (
    <Link to="/compare" search={{ evaluation: newest }} className={buttonClass({ variant: 'primary' })}>
      <Icon icon={GitCompareArrows} />
      Compare evaluations
    </Link>
  )
}

/** "2 of 9 parameters changed, 1 only in whitespace" */
function changeCountText({ diff, changes }: RevisionDiffState): string {
  if (!diff) return ''
  const { change_count, parameter_count } = diff
  const ignoredCount = diff.changes.length - changes.length
  const changedCount = change_count - ignoredCount
  const text = `${changedCount === 0 ? 'none' : formatCount(changedCount)} of ${pluralize(parameter_count, 'parameter')} changed`
  return ignoredCount === 0 ? text : `${text}, ${formatCount(ignoredCount)} only in whitespace`
}

/** Menus for the two revisions, and a button that swaps them. */
function RevisionPickers({ state }: { state: RevisionDiffState }) {
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
      <IconButton
        icon={ArrowLeftRight}
        label="Swap revisions"
        size="small"
        onClick={() => openDiff(newSide.number, oldSide.number)}
      />
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
  const options = revisions?.toReversed().map(({ revision, modified_by, config }) => ({
    value: String(revision),
    name: `r${revision} · ${config.config_name.slice(0, MAX_NAME_LENGTH)} · ${modified_by.slice(0, MAX_NAME_LENGTH)}`,
  }))
  return (
    <ChoiceMenu
      title={label}
      value={String(number)}
      options={options ?? [{ value: String(number), name: `r${number}` }]}
      onSelect={(value) => onPick(Number(value))}
    />
  )
}

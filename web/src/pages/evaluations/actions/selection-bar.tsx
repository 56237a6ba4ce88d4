// The floating bar with the actions for the selected evaluations.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Download, GitCompareArrows, ListOrdered, Star, X } from 'lucide'
import { useRef } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { lazyModule } from '../../../api/lazy-modules.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { baselineIdOf } from '../../../groups/groups.ts'
import { sortBaselineFirst } from '../../../queries/evaluations.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import type { EvaluationList, RowSelection } from '../page-state.ts'
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
      <LeaderboardButton evaluations={selected} />
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

/** The limit of the API. */
const MAX_RANKED_EVALUATIONS = 50

/** Ranks the selected evaluations. */
function LeaderboardButton({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const navigate = useNavigate()
  const { length } = evaluations
  const reason =
    length < 2
      ? 'Select at least two evaluations'
      : length > MAX_RANKED_EVALUATIONS
        ? `Select at most ${MAX_RANKED_EVALUATIONS} evaluations`
        : undefined
  const open = () => {
    const evaluation = evaluations.map(({ id }) => id)
    if (reason === undefined) void navigate({ to: '/leaderboard', search: { evaluation } })
  }
  useShortcuts('page', { l: { label: 'Rank the selected evaluations', run: open } })
  return (
    <Button
      icon={ListOrdered}
      aria-disabled={reason !== undefined}
      tooltip={reason ?? 'Rank them over the rows that all of them have'}
      shortcut="l"
      onClick={open}
    >
      Leaderboard
    </Button>
  )
}

/** Sets one of the selected evaluations as the baseline of the others. */
function BaselineMenu({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const queryClient = useQueryClient()
  const container = useRef<HTMLSpanElement>(null)
  const set = useMutation({
    async mutationFn({ baseline, others }: { baseline: Evaluation | null; others: readonly Evaluation[] }) {
      for (const { id } of others) await assay.changeEvaluation(id, { baseline_id: baseline?.id ?? null })
    },
    onSuccess: (_, { baseline, others }) => {
      const changedCount = pluralize(others.length, 'evaluation')
      toast(
        baseline
          ? `${nameOf(baseline)} is now the baseline of ${changedCount}.`
          : `Removed the baseline of ${changedCount}.`,
      )
    },
    onError: (error) => toast(`Not all baselines were set: ${error.message}`),
    onSettled: () => queryClient.invalidateQueries(),
  })
  useShortcuts('page', {
    b: {
      label: 'Set baseline',
      run() {
        const button = container.current?.querySelector('button')
        // The menu that opens is next in the tab order.
        button?.focus()
        button?.click()
      },
    },
  })
  const oldestFirst = evaluations.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const evaluationsWithBaseline = evaluations.filter(({ baseline_id }) => baseline_id !== null)
  return (
    <span ref={container}>
      <Menu
        label={set.isPending ? 'Setting baseline…' : 'Set baseline'}
        icon={Star}
        title="Compare with one of them from now on"
        shortcut="b"
      >
        <MenuItems>
          <p className={styles.note}>
            {evaluations.length < 2
              ? 'Select at least two evaluations. One becomes the baseline of the others.'
              : 'Select the new baseline:'}
          </p>
          {evaluations.length >= 2 &&
            oldestFirst.map((baseline) => (
              <MenuItem
                key={baseline.id}
                icon={Star}
                onClick={() =>
                  set.mutate({ baseline, others: evaluations.filter((other) => other !== baseline) })
                }
              >
                {nameOf(baseline)}
              </MenuItem>
            ))}
          {evaluationsWithBaseline.length > 0 && (
            <>
              <MenuSeparator />
              <MenuItem onClick={() => set.mutate({ baseline: null, others: evaluationsWithBaseline })}>
                Remove baseline of {pluralize(evaluationsWithBaseline.length, 'evaluation')}
              </MenuItem>
            </>
          )}
        </MenuItems>
      </Menu>
    </span>
  )
}

function nameOf({ name, id }: Evaluation): string {
  return name ?? id
}

// Sets one of the selected evaluations as the baseline of the others.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { Star } from 'lucide'
import { useRef } from 'react'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Menu, MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import styles from './selection-bar.module.css'

export function BaselineMenu({ evaluations }: { evaluations: readonly Evaluation[] }) {
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

// Sets one of the selected evaluations as the baseline of the others.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useRef } from 'react'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toasts.tsx'
import styles from '../page.module.css'

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
    b() {
      const button = container.current?.querySelector('button')
      // The menu that opens is next in the tab order.
      button?.focus()
      button?.click()
    },
  })
  const oldestFirst = evaluations.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const evaluationsWithBaseline = evaluations.filter(({ baseline_id }) => baseline_id !== null)
  return (
    <span ref={container}>
      <Menu label={set.isPending ? 'Setting baseline…' : 'Set baseline'} title="Set baseline (b)">
        <div className="options">
          {evaluations.length < 2 ? (
            <p className={styles.menuNote}>
              Select at least two evaluations. One becomes the baseline of the others.
            </p>
          ) : (
            <>
              <p className={styles.menuNote}>Select the new baseline:</p>
              {oldestFirst.map((baseline) => (
                <button
                  key={baseline.id}
                  type="button"
                  className="plain"
                  onClick={() =>
                    set.mutate({ baseline, others: evaluations.filter((other) => other !== baseline) })
                  }
                >
                  ★ {nameOf(baseline)}
                </button>
              ))}
            </>
          )}
          {evaluationsWithBaseline.length > 0 && (
            <button
              type="button"
              className="plain"
              onClick={() => set.mutate({ baseline: null, others: evaluationsWithBaseline })}
            >
              Remove baseline of {pluralize(evaluationsWithBaseline.length, 'evaluation')}
            </button>
          )}
        </div>
      </Menu>
    </span>
  )
}

function nameOf({ name, id }: Evaluation): string {
  return name ?? id
}

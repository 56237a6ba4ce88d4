// Makes one of the selected evaluations the one that the others are compared with.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useRef } from 'react'
import { assay } from '../api.ts'
import { count, counted } from '../format/numbers.ts'
import { Menu } from '../parts/menu.tsx'
import { toast } from '../shell/toasts.tsx'
import { useShortcuts } from '../shortcuts.ts'
import styles from './page.module.css'

export function BaselineMenu({ chosen }: { chosen: readonly Evaluation[] }) {
  const queries = useQueryClient()
  const place = useRef<HTMLSpanElement>(null)
  const set = useMutation({
    async mutationFn({ base, others }: { base: Evaluation | null; others: readonly Evaluation[] }) {
      for (const { id } of others) await assay.changeEvaluation(id, { baseline_id: base?.id ?? null })
    },
    onSuccess: (_, { base, others }) => {
      const whose = counted(others.length, 'evaluation')
      toast(base ? `${nameOf(base)} is the baseline of ${whose} now.` : `${whose} without a baseline now.`)
    },
    onError: (error) => toast(`The baseline was not set everywhere: ${error.message}`),
    onSettled: () => queries.invalidateQueries(),
  })
  useShortcuts('page', {
    b() {
      const button = place.current?.querySelector('button')
      // What it opens comes next for Tab.
      button?.focus()
      button?.click()
    },
  })
  const oldestFirst = chosen.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
  const compared = chosen.filter(({ baseline_id }) => baseline_id !== null)
  return (
    <span ref={place}>
      <Menu label={set.isPending ? 'Setting the baseline…' : 'Set baseline'} title="Set baseline (b)">
        <div className="options">
          {chosen.length < 2 ? (
            <p className={styles.menuNote}>
              Select the evaluations to compare as well: one of those selected becomes the baseline of the
              others.
            </p>
          ) : (
            <>
              <p className={styles.menuNote}>
                {chosen.length === 2
                  ? 'Compare the other with'
                  : `Compare the other ${count(chosen.length - 1)} with`}
              </p>
              {oldestFirst.map((base) => (
                <button
                  key={base.id}
                  type="button"
                  className="plain"
                  onClick={() => set.mutate({ base, others: chosen.filter((other) => other !== base) })}
                >
                  ★ {nameOf(base)}
                </button>
              ))}
            </>
          )}
          {compared.length > 0 && (
            <button
              type="button"
              className="plain"
              onClick={() => set.mutate({ base: null, others: compared })}
            >
              No baseline for {counted(compared.length, 'evaluation')}
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

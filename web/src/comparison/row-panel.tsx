// One row of a comparison beside the table: what the base and a candidate made of it, and what evaluators said of both.
import { isUnreachable } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { useLayoutPreferences } from '../content/layout-preferences.ts'
import { SHAPES } from '../evaluation/view.ts'
import { Panel } from '../parts/panel.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { LayoutSwitches } from '../scenario/layout-switches.tsx'
import { Refusal } from '../scenario/refusal.tsx'
import shared from '../scenario/scenario.module.css'
import { type OpenedRow, useOpenedRow } from './opened-row.ts'
import styles from './panel.module.css'
import { PanelCause } from './panel-cause.tsx'
import { PanelHead } from './panel-head.tsx'
import { usePanelMoves } from './panel-moves.ts'
import { PanelOutputs } from './panel-outputs.tsx'
import { PanelPairs } from './panel-pairs.tsx'
import { PanelResults } from './panel-results.tsx'
import { PanelStates } from './panel-states.tsx'
import { PanelExpected, PanelInputs } from './panel-values.tsx'
import type { Shown } from './shown.ts'
import { type OpenRow, rowWords } from './view.ts'

export function RowPanel({ shown, row }: { shown: Shown; row: OpenRow }) {
  const change = useChangeSearch()
  // Back leads out of the panel, not through all rows that were looked at.
  const moves = usePanelMoves(shown, row, (next) => change(rowWords(next), { replace: true }))
  const { opened, error } = useOpenedRow(shown, row, moves.place)
  const failure = moves.error ?? error
  return (
    <Panel label="Row">
      <div className={shared.scenario} aria-busy={opened?.isOld ?? true}>
        <PanelHead shown={shown} moves={moves} onClose={() => change(rowWords(undefined))} />
        {failure && !isUnreachable(failure) ? (
          <Refusal error={failure} />
        ) : opened ? (
          <Row shown={shown} opened={opened} />
        ) : (
          <Waiting />
        )}
      </div>
    </Panel>
  )
}

function Row({ shown, opened }: { shown: Shown; opened: OpenedRow }) {
  const { view, comparison, on } = shown
  const layout = useLayoutPreferences()
  const { base, candidates, row } = opened
  const candidate = candidates[view.pair - 1]
  if (!candidate || !comparison) return null
  const sides = { base, candidate }
  const reading = { ...sides, shape: view.shape, isWrapped: layout.isWrapped }
  const name = `${row.base?.id} ${row.candidates[0]?.row?.id}`
  return (
    <>
      <PanelStates opened={opened} candidate={candidate} on={on} />
      <PanelCause {...sides} />
      <div className={styles.line}>
        <PanelPairs opened={opened} chosen={view.pair} />
        <LayoutSwitches shapes={SHAPES} shape={view.shape} layout={layout} hasSplit />
      </div>
      <section
        key={name}
        aria-label="Outputs"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is long scrolls, from the keyboard too
        tabIndex={0}
        className={opened.isOld ? shared.old : shared.body}
      >
        <PanelInputs {...reading} />
        <PanelExpected {...reading} />
        <PanelOutputs {...sides} output={view.output} shape={view.shape} layout={layout} />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long results scroll, from the keyboard too */}
      <section className={`${shared.foot} ${styles.foot}`} aria-label="Results" tabIndex={0}>
        <PanelResults opened={opened} comparison={comparison} chosen={candidate} />
      </section>
    </>
  )
}

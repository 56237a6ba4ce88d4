// One scenario: header, summary, tabs, results and note.
import { type ReactNode, useState } from 'react'
import { isUnreachable } from '../../api/client.ts'
import { useLayoutPreferences } from '../../content/text-layout.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { takePendingFocus } from '../../evaluation-state/pending-focus.ts'
import { TABS, type Tab } from '../../evaluation-state/search-params.ts'
import { formatDollars, formatSeconds } from '../../format/numbers.ts'
import { outputTotal } from '../../results/cells.ts'
import { Values, ValuesLine } from '../../row-panel/named-values.tsx'
import { PanelError } from '../../row-panel/panel.tsx'
import { RowSkeleton } from '../../row-panel/panel-fallback.tsx'
import styles from '../../row-panel/row-panel.module.css'
import { SummaryLine } from '../../row-panel/summary-line.tsx'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { DiffTab } from './diff-tab.tsx'
import type { Frame } from './frame.ts'
import { Header } from './header.tsx'
import { Note } from './note.tsx'
import { OutputTab, RawTab } from './output-tabs.tsx'
import { Results } from './results.tsx'
import { type ScenarioState, useScenarioState } from './scenario-state.ts'
import { TAB_NAMES, TabBar } from './tab-bar.tsx'

export function Scenario({ pageState, id, frame }: { pageState: EvaluationState; id: string; frame: Frame }) {
  const { scenarioState, navigation, error, failureReason } = useScenarioState(pageState, id, frame.open)
  // The scenario whose note is being edited.
  const [editedId, setEditedId] = useState(() => takePendingFocus('note'))
  const header = (
    <Header
      pageState={pageState}
      id={id}
      scenarioState={scenarioState}
      navigation={navigation}
      frame={frame}
      isEditingNote={editedId === id}
      onEditNote={() => setEditedId(id)}
    />
  )
  if (!scenarioState) {
    return (
      <div className={styles.scenario}>
        {header}
        {error && !isUnreachable(error) ? (
          <PanelError error={error} />
        ) : (
          <RowSkeleton failure={failureReason} />
        )}
      </div>
    )
  }
  return (
    <div className={styles.scenario} aria-busy={scenarioState.isStale}>
      {header}
      <Tabs pageState={pageState} scenarioState={scenarioState}>
        <Note
          key={scenarioState.scenario.id}
          evaluationId={pageState.id}
          scenario={scenarioState.scenario}
          isEditing={editedId === scenarioState.scenario.id}
          onEdit={(isEditing) => setEditedId(isEditing ? scenarioState.scenario.id : undefined)}
        />
      </Tabs>
    </div>
  )
}

function Tabs({
  pageState,
  scenarioState,
  children,
}: {
  pageState: EvaluationState
  scenarioState: ScenarioState
  children: ReactNode
}) {
  const changeParams = useChangeSearchParams()
  const layout = useLayoutPreferences()
  const [pairId, setPairId] = useState<string>()
  const { tab, scenario } = scenarioState
  const { inputs } = scenario
  const [latency, cost] = [outputTotal(scenario, 'latency'), outputTotal(scenario, 'cost')]
  const { textFormat } = pageState.params
  const selectTab = (next: Tab) => changeParams({ tab: next }, { replace: true })
  useShortcuts(
    'panel',
    Object.fromEntries(
      TABS.map((name, index) => [
        String(index + 1),
        { label: `Show tab ${TAB_NAMES[name]}`, run: () => selectTab(name) },
      ]),
    ),
  )
  const contentProps = { textFormat, isWrapped: layout.isWrapped }
  function compareWithBaseline() {
    setPairId('baseline')
    selectTab('diff')
  }
  const hasText = tab === 'diff' || tab === 'output'
  return (
    <>
      <SummaryLine
        hasFailed={scenario.outputs.some(({ result }) => result.error)}
        outcomes={scenarioState.outcomes}
        onShowAll={() => selectTab('results')}
      >
        {latency !== undefined && <span>{formatSeconds(latency)}</span>}
        {cost !== undefined && <span>{formatDollars(cost)}</span>}
      </SummaryLine>
      <TabBar tab={tab} textFormat={textFormat} layout={layout} onTab={selectTab} />
      <div
        key={scenarioState.scenario.id}
        id="scenario-tab"
        role="tabpanel"
        aria-labelledby={`scenario-tab-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long content must scroll with the keyboard
        tabIndex={0}
        className={scenarioState.isStale ? styles.stale : styles.body}
      >
        {hasText && (
          <ValuesLine label="Inputs" values={inputs} shortcut="3" onShowAll={() => selectTab('inputs')} />
        )}
        {tab === 'diff' && (
          <DiffTab
            pageState={pageState}
            scenarioState={scenarioState}
            pairId={pairId}
            onSelectPair={setPairId}
            layout={layout}
          />
        )}
        {tab === 'output' && <OutputTab scenarioState={scenarioState} {...contentProps} />}
        {tab === 'inputs' && inputs.length === 0 && (
          <p className={styles.hint}>This scenario has no inputs.</p>
        )}
        {tab === 'inputs' && <Values values={inputs} {...contentProps} />}
        {tab === 'results' && (
          <Results
            isDetailed
            pageState={pageState}
            scenarioState={scenarioState}
            onShowBaseline={compareWithBaseline}
          />
        )}
        {tab === 'raw' && <RawTab text={scenarioState.text} isWrapped={layout.isWrapped} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long results must scroll with the keyboard */}
      <section className={styles.footer} aria-label="Results and note" tabIndex={0}>
        {hasText && (
          <Results pageState={pageState} scenarioState={scenarioState} onShowBaseline={compareWithBaseline} />
        )}
        {children}
      </section>
    </>
  )
}

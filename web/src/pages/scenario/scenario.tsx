// One scenario from top to bottom: header, verdicts, inputs, output with results, note, history.
import { useId, useMemo, useRef, useState } from 'react'
import { isUnreachable, queryClient } from '../../api/client.ts'
import { PlainText } from '../../content/plain-text.tsx'
import { useLayoutPreferences, useLayoutShortcuts } from '../../content/text-layout.tsx'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { takePendingFocus } from '../../evaluation-state/pending-focus.ts'
import { indentJson } from '../../format/exact-json.ts'
import { formatDollars, formatSeconds } from '../../format/numbers.ts'
import { evaluationRows } from '../../queries/evaluations.ts'
import { outputTotal } from '../../results/cells.ts'
import type { RowRepeats } from '../../results/repeats.ts'
import { RowHistory } from '../../row-panel/history/row-history.tsx'
import { PanelError, RowErrorPage, RowSkeleton } from '../../row-panel/panel-content.tsx'
import styles from '../../row-panel/reading.module.css'
import { RepeatTabs, repeatTabs } from '../../row-panel/repeat-tabs.tsx'
import { RepeatsLine } from '../../row-panel/repeats-line.tsx'
import shared from '../../row-panel/row-panel.module.css'
import { SummaryLine } from '../../row-panel/summary-line.tsx'
import { CopyIcon, JsonToggle, SectionHeading, ValueBox } from '../../row-panel/value-box.tsx'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { Answer } from './answer.tsx'
import type { Frame } from './frame.ts'
import { Header } from './header.tsx'
import { Note } from './note.tsx'
import { Results } from './results.tsx'
import { type ScenarioState, useScenarioState } from './scenario-state.ts'

export function Scenario({ pageState, id, frame }: { pageState: EvaluationState; id: string; frame: Frame }) {
  const { scenarioState, row, navigation, error, failureReason } = useScenarioState(pageState, id, frame.open)
  // The scenario whose note is being edited.
  const [editedId, setEditedId] = useState(() => takePendingFocus('note'))
  const header = (
    <Header
      pageState={pageState}
      id={id}
      number={row && row.position + 1}
      scenarioState={scenarioState}
      navigation={navigation}
      frame={frame}
      isEditingNote={editedId === id}
      onEditNote={() => setEditedId(id)}
    />
  )
  if (!scenarioState) {
    const failure = isUnreachable(error) ? null : error
    if (failure && frame.kind === 'page') return <RowErrorPage error={failure} onClose={frame.close} />
    return (
      <div className={shared.scenario}>
        {header}
        {failure ? (
          <PanelError error={failure} onClose={frame.close} />
        ) : (
          <RowSkeleton failure={failureReason} />
        )}
      </div>
    )
  }
  const { scenario } = scenarioState
  return (
    <div className={shared.scenario} aria-busy={scenarioState.isStale}>
      {header}
      <Reading
        pageState={pageState}
        id={id}
        scenarioState={scenarioState}
        onOpen={frame.open}
        isEditingNote={editedId === scenario.id}
        onEditNote={(isEditing) => setEditedId(isEditing ? scenario.id : undefined)}
      />
    </div>
  )
}

interface ReadingProps {
  pageState: EvaluationState
  /** The requested scenario, while the previous one can still be displayed. */
  id: string
  onOpen: (scenario: string) => void
  scenarioState: ScenarioState
  isEditingNote: boolean
  onEditNote: (isEditing: boolean) => void
}

function Reading({ pageState, id, scenarioState, onOpen, isEditingNote, onEditNote }: ReadingProps) {
  const changeParams = useChangeSearchParams()
  const layout = useLayoutPreferences()
  useLayoutShortcuts(layout)
  // Stays for the next rows.
  const [pairId, setPairId] = useState<string>()
  const results = useRef<HTMLElement>(null)
  const { scenario, text, outcomes, repeats, displays, isStale } = scenarioState
  const { textFormat, view } = pageState.params
  const [latency, cost] = [outputTotal(scenario, 'latency'), outputTotal(scenario, 'cost')]
  const measures = (
    <>
      {latency !== undefined && <span>{formatSeconds(latency)}</span>}
      {cost !== undefined && <span>{formatDollars(cost)}</span>}
    </>
  )
  return (
    <>
      {repeats ? (
        <RepeatsLine repeats={repeats} displays={displays} activeEvaluator={pageState.activeEvaluator}>
          {measures}
        </RepeatsLine>
      ) : (
        <SummaryLine
          hasFailed={scenario.outputs.some(({ result }) => result.error)}
          outcomes={outcomes}
          onShowAll={() => {
            results.current?.scrollIntoView()
            results.current?.focus({ preventScroll: true })
          }}
        >
          {measures}
        </SummaryLine>
      )}
      <section
        // Another repeat of the same row keeps the scroll position.
        key={repeats?.scenarios[0] ?? scenario.id}
        aria-label="Row"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long content must scroll with the keyboard
        tabIndex={0}
        className={isStale ? shared.stale : shared.body}
      >
        <div className={styles.reading}>
          {view === 'json' ? (
            <RowJson
              text={text}
              isWrapped={layout.isWrapped}
              onClose={() => changeParams({ view: undefined }, { replace: true })}
            />
          ) : (
            <>
              <ValueBox
                label="Input"
                values={scenario.inputs}
                textFormat={textFormat}
                isWrapped={layout.isWrapped}
              />
              {repeats && (
                <Repeats
                  pageState={pageState}
                  repeats={repeats}
                  displays={displays}
                  selectedId={id}
                  onOpen={onOpen}
                />
              )}
              <Answer
                key={scenario.id}
                pageState={pageState}
                scenarioState={scenarioState}
                pairId={pairId}
                onSelectPair={setPairId}
                layout={layout}
              >
                <Results ref={results} pageState={pageState} scenarioState={scenarioState} />
                <Note
                  evaluationId={pageState.id}
                  scenario={scenario}
                  isEditing={isEditingNote}
                  onEdit={onEditNote}
                />
              </Answer>
            </>
          )}
        </div>
        <RowHistory evaluationId={pageState.id} scenarioId={scenario.id} />
      </section>
    </>
  )
}

interface RepeatsProps {
  pageState: EvaluationState
  repeats: RowRepeats
  displays: ScenarioState['displays']
  /** The scenario of the selected repeat. */
  selectedId: string
  onOpen: (scenario: string) => void
}

/** The tabs that select a repeat of the open row. */
function Repeats({ pageState, repeats, displays, selectedId, onOpen }: RepeatsProps) {
  const { id, query } = pageState
  /** The position of a row is the same for all of its repeats. */
  function open(scenario: string) {
    for (const { positionQuery } of [
      evaluationRows(id, query),
      evaluationRows(id, { ...query, filters: [] }),
    ]) {
      const position = queryClient.getQueryData(positionQuery(selectedId).queryKey)
      if (position) queryClient.setQueryData(positionQuery(scenario).queryKey, position)
    }
    onOpen(scenario)
  }
  return (
    <RepeatTabs
      label="Repeat"
      tabs={repeatTabs(repeats, displays, pageState.activeEvaluator)}
      selectedId={selectedId}
      onSelect={open}
    />
  )
}

interface RowJsonProps {
  text: string
  isWrapped: boolean
  onClose: () => void
}

/** An open row as its stored JSON, indented but otherwise unchanged. */
function RowJson({ text, isWrapped, onClose }: RowJsonProps) {
  const id = useId()
  const indentedJson = useMemo(() => indentJson(text), [text])
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id} title="JSON of this row" detail="as stored, with exact digits">
        <JsonToggle isPressed onToggle={onClose} />
        <CopyIcon text={text} label="Copy the JSON" />
      </SectionHeading>
      <div className={`${styles.box} ${styles.oneColumn}`}>
        <PlainText text={indentedJson} isWrapped={isWrapped} />
      </div>
    </section>
  )
}

// The header of a scenario: its position, navigation and actions.
import type { EvaluationRows, EvaluationScenario } from 'assay-client'
import { Maximize2, MessageSquare, PanelRight, Pin } from 'lucide'
import { useEffect, useRef } from 'react'
import { useCanWrite } from '../../api/key.ts'
import { type EvaluationState, restrictionOf } from '../../evaluation-state/page-state.ts'
import { useMarkScenario } from '../../queries/scenarios.ts'
import { PanelHeader } from '../../row-panel/panel-header.tsx'
import type { RowNavigation } from '../../row-panel/row-navigation.ts'
import { ShareMenu } from '../../share/share-menu.tsx'
import { viewLink } from '../../share/view-link.ts'
import { withoutFilters } from '../../state/row-params.ts'
import { useChangeSearchParams, useSharedSearch } from '../../state/search-params.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Frame } from './frame.ts'
import { RowMenuItems } from './row-menu.tsx'
import type { ScenarioState } from './scenario-state.ts'

interface HeaderProps {
  pageState: EvaluationState
  id: string
  /** The number of the row; undefined until it is located. */
  number: number | undefined
  scenarioState: ScenarioState | undefined
  navigation: RowNavigation<EvaluationRows>
  frame: Frame
  isEditingNote: boolean
  onEditNote: () => void
}

export function Header({
  pageState,
  id,
  number,
  scenarioState,
  navigation,
  frame,
  isEditingNote,
  onEditNote,
}: HeaderProps) {
  const mayWrite = useCanWrite()
  const search = useSharedSearch<'/evaluations/$evaluationId'>()
  const linkToView = () =>
    viewLink(location.origin + location.pathname, search, { ...pageState.params, base: pageState.baselineId })
  const changeParams = useChangeSearchParams()
  const isPage = frame.kind === 'page'
  const isJson = pageState.params.view === 'json'
  const toggleJson = () => changeParams({ view: isJson ? undefined : 'json' }, { replace: true })
  return (
    <PanelHeader
      navigation={navigation}
      number={number}
      id={id}
      isLoading={scenarioState === undefined}
      noun="scenario"
      matchName="failure"
      headingLevel={isPage ? 1 : 2}
      onShowAll={() => changeParams(withoutFilters(pageState.params.filters))}
      onClose={frame.close}
      shortcuts={{
        f: { label: isPage ? 'Show in panel' : 'Show on full page', run: frame.switchFrame },
        v: { label: 'Show the JSON of the row', run: toggleJson },
      }}
      menuItems={
        <RowMenuItems textFormat={pageState.params.textFormat} isJson={isJson} onToggleJson={toggleJson} />
      }
    >
      {mayWrite && scenarioState && (
        <PinButton evaluationId={pageState.id} scenario={scenarioState.scenario} />
      )}
      {mayWrite && scenarioState && (
        <NoteButton
          hasNote={scenarioState.scenario.note !== null}
          isEditingNote={isEditingNote}
          onEditNote={onEditNote}
        />
      )}
      <ShareMenu
        link={linkToView}
        confined_to={restrictionOf(pageState)}
        call={callOf(pageState.id, id)}
        layer="panel"
        variant="plain"
        isIconOnly
      />
      <IconButton
        icon={isPage ? PanelRight : Maximize2}
        size="small"
        label={isPage ? 'Show in panel' : 'Full page'}
        shortcut="f"
        onClick={frame.switchFrame}
      />
    </PanelHeader>
  )
}

function PinButton({ evaluationId, scenario }: { evaluationId: string; scenario: EvaluationScenario }) {
  const mark = useMarkScenario(evaluationId, scenario.id)
  const isPinned = scenario.is_pinned === true
  const pin = () => !mark.isPending && mark.mutate({ is_pinned: !isPinned })
  useShortcuts('panel', { p: { label: 'Pin', run: pin } })
  return (
    <>
      <IconButton
        icon={Pin}
        size="small"
        label={isPinned ? 'Pinned' : 'Pin'}
        shortcut="p"
        aria-pressed={isPinned}
        disabled={mark.isPending}
        onClick={pin}
      />
      {mark.error && <span role="alert">Not saved: {mark.error.message}</span>}
    </>
  )
}

interface NoteButtonProps {
  hasNote: boolean
  isEditingNote: boolean
  onEditNote: () => void
}

function NoteButton({ hasNote, isEditingNote, onEditNote }: NoteButtonProps) {
  useShortcuts('panel', { e: { label: 'Edit note', run: onEditNote } })
  const button = useRef<HTMLButtonElement>(null)
  // The editor has closed: move its focus to the button.
  const wasEditing = useRef(isEditingNote)
  useEffect(() => {
    if (wasEditing.current && !isEditingNote && document.activeElement === document.body)
      button.current?.focus()
    wasEditing.current = isEditingNote
  }, [isEditingNote])
  return (
    <IconButton
      ref={button}
      icon={MessageSquare}
      size="small"
      label={hasNote ? 'Edit note' : 'Note'}
      shortcut="e"
      onClick={onEditNote}
    />
  )
}

function callOf(evaluationId: string, id: string) {
  const path = [evaluationId, 'evaluation_scenarios', id].map(encodeURIComponent).join('/')
  const args = [evaluationId, id].map((id) => JSON.stringify(id)).join(', ')
  return {
    path: `/api/evaluations/${path}?include=extra`,
    client: `getEvaluationScenario(${args}, { include: 'extra' })`,
  }
}

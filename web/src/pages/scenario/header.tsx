// The header of a scenario: its position, navigation and actions.
import type { EvaluationRows, EvaluationScenario } from 'assay-client'
import { Braces, Columns2, Maximize2, MessageSquare, PanelRight, Pin, WrapText } from 'lucide'
import { useEffect, useRef } from 'react'
import { useCanWrite } from '../../api/key.ts'
import { FORMAT_LABELS, useLayoutPreferences } from '../../content/text-layout.tsx'
import { type EvaluationState, restrictionOf } from '../../evaluation-state/page-state.ts'
import { useMarkScenario } from '../../queries/scenarios.ts'
import { PanelHeader } from '../../row-panel/panel-header.tsx'
import type { RowNavigation } from '../../row-panel/row-navigation.ts'
import { ShareMenu } from '../../share/share-menu.tsx'
import { viewLink } from '../../share/view-link.ts'
import { TEXT_FORMATS, type TextFormat, useChangePreference, withoutFilters } from '../../state/row-params.ts'
import { useChangeSearchParams, useSharedSearch } from '../../state/search-params.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'
import { useHasTwoColumns } from '../../ui/media.ts'
import { MenuItem, MenuSeparator } from '../../ui/menus/menu.tsx'
import type { Frame } from './frame.ts'
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

interface RowMenuItemsProps {
  textFormat: TextFormat
  isJson: boolean
  onToggleJson: () => void
}

/** The items in the menu of a row that change how it is displayed. */
function RowMenuItems({ textFormat, isJson, onToggleJson }: RowMenuItemsProps) {
  const layout = useLayoutPreferences()
  const setPreferred = useChangePreference()
  const hasTwoColumns = useHasTwoColumns()
  return (
    <>
      <MenuItem icon={Braces} shortcut="v" isChosen={isJson} onClick={onToggleJson}>
        JSON of this row
      </MenuItem>
      <MenuSeparator />
      {TEXT_FORMATS.map((name) => {
        const [, , label, key] = FORMAT_LABELS[name]
        return (
          <MenuItem
            key={name}
            shortcut={key}
            isChosen={name === textFormat}
            onClick={() => setPreferred('as', name)}
          >
            {label}
          </MenuItem>
        )
      })}
      <MenuSeparator />
      <MenuItem icon={WrapText} shortcut="w" isChosen={layout.isWrapped} onClick={layout.toggleWrap}>
        Wrap long lines
      </MenuItem>
      {hasTwoColumns && (
        <MenuItem icon={Columns2} shortcut="s" isChosen={layout.isSplit} onClick={layout.toggleSplit}>
          Diff side by side
        </MenuItem>
      )}
    </>
  )
}

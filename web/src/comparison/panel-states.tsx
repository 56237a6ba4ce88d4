// What became of the row, in a line: its class for the candidate that is looked at, whether the output changed, its id.

import shared from '../scenario/scenario.module.css'
import { CLASS_MEANINGS } from './classes.ts'
import type { OpenedRow, RowSide } from './opened-row.ts'

interface PanelStatesProps {
  opened: OpenedRow
  candidate: RowSide
  on: string | undefined
}

type RowClass = OpenedRow['row']['candidates'][number]['class']

export const CLASS_SIGNS: Record<RowClass, string> = {
  regressed: '▼',
  improved: '▲',
  same: '=',
  incomparable: '≠',
  missing: '–',
}

export function colourOf(name: RowClass): string | undefined {
  return { regressed: 'worse', improved: 'better' }[name as string]
}

export function PanelStates({ opened, candidate, on }: PanelStatesProps) {
  const { base, candidates, row } = opened
  const joined = row.candidates[candidates.indexOf(candidate)]
  if (!joined) return null
  const ids = [...new Set([base, candidate].flatMap(({ scenario }) => scenario?.id ?? []))]
  return (
    <ul className={shared.states} aria-label="At a glance">
      <li className={colourOf(joined.class)} title={CLASS_MEANINGS[joined.class]}>
        <span aria-hidden="true">{CLASS_SIGNS[joined.class]} </span>
        {joined.class === 'missing' ? (
          missingWords(base, candidate)
        ) : (
          <>
            {joined.class} on <bdi>{on}</bdi>
          </>
        )}
      </li>
      {joined.output_changed !== null && (
        <li className="soft">{joined.output_changed ? 'another output' : 'the same output'}</li>
      )}
      {ids.map((id) => (
        <li key={id} className={shared.id} title={id}>
          <span className="unseen">Scenario </span>
          {id}
        </li>
      ))}
    </ul>
  )
}

function missingWords(base: RowSide, candidate: RowSide): string {
  if (base.scenario) return `only in ${base.name}`
  return candidate.scenario ? `only in ${candidate.name}` : `in neither ${base.name} nor ${candidate.name}`
}

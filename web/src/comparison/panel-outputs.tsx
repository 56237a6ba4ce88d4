// What the base answered beside what a candidate did: with what differs marked, or each by itself where that cannot be.
import type { ReactNode } from 'react'
import { Content } from '../content/content.tsx'
import type { LayoutPreferences } from '../content/layout-preferences.ts'
import { asJson } from '../diff/as-json.ts'
import { sameness } from '../diff/differences.ts'
import { DiffView } from '../diff/view.tsx'
import type { Shape } from '../evaluation/view.ts'
import { laidOut } from '../format/values.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { OutputChooser, OutputFailure } from '../scenario/outputs.tsx'
import shared from '../scenario/scenario.module.css'
import type { RowSide } from './opened-row.ts'
import styles from './panel.module.css'

interface PanelOutputsProps {
  base: RowSide
  candidate: RowSide
  /** Which output of several, from 1. */
  output: number
  shape: Shape
  layout: LayoutPreferences
}

export function PanelOutputs({ base, candidate, output, shape, layout }: PanelOutputsProps) {
  const most = [base, candidate].map(({ scenario }) => scenario?.outputs ?? []).toSorted(byLength)[0] ?? []
  const index = Math.min(output, most.length || 1) - 1
  const chooser = most.length > 1 && <OutputChooser outputs={most} chosen={index} />
  const texts = [textOf(base, index), textOf(candidate, index)] as const
  const [before, after] = texts
  if (before !== undefined && after !== undefined && shape !== 'markdown') {
    const [old, text] = shape === 'json' ? asJson(before, after) : [before, after]
    return (
      <DiffView
        key={`${candidate.compared.id} ${index}`}
        old={old}
        text={text}
        names={[base.name, candidate.name]}
        chooser={chooser}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  return (
    <>
      <Remark texts={texts} chooser={chooser} />
      <div className={layout.isSplit ? styles.split : undefined}>
        {[base, candidate].map((side) => (
          <Side key={side.compared.id} side={side} index={index} shape={shape} isWrapped={layout.isWrapped} />
        ))}
      </div>
    </>
  )
}

function byLength(one: unknown[], other: unknown[]): number {
  return other.length - one.length
}

/** Undefined where there is nothing to compare: no row, no output, or one that failed. */
function textOf({ scenario }: RowSide, index: number): string | undefined {
  const result = scenario?.outputs[index]?.result
  return result && !result.error ? laidOut(result.value) : undefined
}

interface RemarkProps {
  texts: readonly [string | undefined, string | undefined]
  chooser: ReactNode
}

function Remark({ texts: [before, after], chooser }: RemarkProps) {
  const same = before === undefined || after === undefined ? undefined : sameness(before, after)
  if (!chooser && (same === undefined || same === 'different')) return null
  return (
    <div className={shared.valueHead}>
      {chooser}
      {same === 'identical' && <strong>Identical texts</strong>}
      {same === 'white space' && <strong>Only white space differs</strong>}
    </div>
  )
}

interface SideProps {
  side: RowSide
  index: number
  shape: Shape
  isWrapped: boolean
}

function Side({ side: { name, scenario }, index, shape, isWrapped }: SideProps) {
  const { error, type, value } = scenario?.outputs[index]?.result ?? {}
  const hasValue = value !== undefined && !(error && value === null)
  return (
    <section className={`${shared.value} ${styles.side}`} aria-label={`Output of ${name}`}>
      <h3 className={shared.valueHead}>
        <bdi>{name}</bdi> {type !== undefined && <span className={shared.type}>{type}</span>}
        {hasValue && (
          <CopyButton text={laidOut(value)} className="plain">
            copy<span className="unseen"> the output of {name}</span>
          </CopyButton>
        )}
      </h3>
      {scenario === null && <p className={shared.remark}>{name} has no row for this scenario.</p>}
      {scenario && type === undefined && (
        <p className={shared.remark}>
          {scenario.outputs.length === 0
            ? 'This scenario has no output.'
            : `There is no output ${index + 1}.`}
        </p>
      )}
      {error && <OutputFailure error={error} isWrapped={isWrapped} />}
      {hasValue && <Content value={value} shape={shape} isWrapped={isWrapped} />}
    </section>
  )
}

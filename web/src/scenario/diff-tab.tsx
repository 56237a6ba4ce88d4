// The output beside what it is held against.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlainText } from '../content/content.tsx'
import type { LayoutPreferences } from '../content/layout-preferences.ts'
import { asJson } from '../diff/as-json.ts'
import { DiffView } from '../diff/view.tsx'
import type { Shown } from '../evaluation/shown.ts'
import { Failure } from '../parts/failure.tsx'
import { Waiting } from '../parts/waiting.tsx'
import type { Opened } from './opened.ts'
import { OutputChooser, OutputFailure } from './outputs.tsx'
import { type Pair, pairsOf } from './pairs.ts'
import { exactScenarioQuestion } from './questions.ts'
import styles from './scenario.module.css'

interface DiffTabProps {
  shown: Shown
  opened: Opened
  /** The id of the pair that was chosen. */
  against: string | undefined
  onAgainst: (id: string) => void
  layout: LayoutPreferences
}

export function DiffTab({ shown, opened, against, onAgainst, layout }: DiffTabProps) {
  const { output, outputIndex } = opened
  const baseline = useQuery({
    ...exactScenarioQuestion(shown.base ?? '', opened.base?.id ?? ''),
    enabled: against === 'baseline' && opened.base != null,
  })
  const pairs = pairsOf(opened, baseline.data?.scenario)
  const pair = pairs.find(({ id }) => id === against) ?? pairs[0]
  if (!output) return <p className={styles.remark}>This scenario has no output to compare.</p>
  const { error } = output.result
  const chooser = <Chooser opened={opened} pairs={pairs} pair={pair} onAgainst={onAgainst} />
  if (pair?.old && !error) {
    const texts: [string, string] = [pair.old.text, pair.output.text]
    const [old, text] = shown.view.shape === 'json' ? asJson(...texts) : texts
    return (
      <DiffView
        key={`${pair.id} ${outputIndex}`}
        old={old}
        text={text}
        names={[pair.old.name, pair.output.name]}
        chooser={chooser}
        isSplit={layout.isSplit}
        isWrapped={layout.isWrapped}
      />
    )
  }
  return (
    <>
      {chooser && <div className={styles.valueHead}>{chooser}</div>}
      {!pair && <p className={styles.remark}>There is no expected answer to compare with.</p>}
      {error && <OutputFailure error={error} isWrapped={layout.isWrapped} />}
      {pair?.old && (
        <section className={styles.value}>
          <h3 className={styles.valueHead}>{pair.old.name}</h3>
          <PlainText text={pair.old.text} isWrapped={layout.isWrapped} />
        </section>
      )}
      {pair && !pair.old && (baseline.error ? <Failure error={baseline.error} /> : <Waiting />)}
    </>
  )
}

interface ChooserProps {
  opened: Opened
  pairs: Pair[]
  pair: Pair | undefined
  onAgainst: (id: string) => void
}

function Chooser({ opened, pairs, pair, onAgainst }: ChooserProps): ReactNode {
  const isOne = opened.scenario.outputs.length < 2
  if (pairs.length < 2 && isOne) return null
  return (
    <div className={styles.choices}>
      {pair && (
        <label>
          Compare{' '}
          <select value={pair.id} onChange={(event) => onAgainst(event.target.value)}>
            {pairs.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}{' '}
      {pair && 'with'}{' '}
      {isOne ? 'the output' : <OutputChooser outputs={opened.scenario.outputs} chosen={opened.outputIndex} />}
    </div>
  )
}

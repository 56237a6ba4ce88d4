// The output beside what it is held against: an expected answer, another output, or that of the baseline.
import { useQuery } from '@tanstack/react-query'
import type { EvaluationScenario } from 'assay-client'
import type { Shown } from '../evaluation/shown.ts'
import { Failure } from '../parts/failure.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { PlainText } from './content.tsx'
import { DiffView } from './diff-view.tsx'
import { parseExactly, textOf } from './exact.ts'
import type { Likings } from './likings.ts'
import type { Opened } from './opened.ts'
import { OutputChooser, OutputFailure } from './outputs.tsx'
import { exactScenarioQuestion } from './questions.ts'
import styles from './scenario.module.css'

interface DiffTabProps {
  shown: Shown
  opened: Opened
  /** What was chosen to hold the output against, by its id. */
  against: string | undefined
  onAgainst: (id: string) => void
  likings: Likings
}

interface Choice {
  id: string
  name: string
  /** Undefined where it is not here yet. */
  text: string | undefined
}

export function DiffTab({ shown, opened, against, onAgainst, likings }: DiffTabProps) {
  const { scenario, output, outputIndex } = opened
  const isBaseline = against === 'baseline' && opened.base != null
  const baseline = useQuery({
    ...exactScenarioQuestion(shown.base ?? '', opened.base?.id ?? ''),
    enabled: isBaseline,
  })
  const choices = choicesOf(opened, isBaseline ? baseline.data?.scenario : undefined)
  const chosen = choices.find(({ id }) => id === against) ?? choices[0]
  if (!output) return <p className={styles.remark}>This scenario has no output to compare.</p>
  const { error } = output.result
  const text = textOf(output.result.value)
  const name =
    scenario.outputs.length > 1 ? `output ${outputIndex + 1} of ${scenario.outputs.length}` : 'output'
  const [old, shaped] =
    chosen?.text === undefined ? [undefined, text] : alike(chosen.text, text, shown.view.shape === 'json')
  return (
    <>
      {(choices.length > 1 || scenario.outputs.length > 1) && (
        <div className={styles.choices}>
          {chosen && (
            <label>
              Compare{' '}
              <select value={chosen.id} onChange={(event) => onAgainst(event.target.value)}>
                {choices.map((choice) => (
                  <option key={choice.id} value={choice.id}>
                    {choice.name}
                  </option>
                ))}
              </select>
            </label>
          )}{' '}
          with <OutputChooser opened={opened} />
          {scenario.outputs.length < 2 && 'the output'}
        </div>
      )}
      {!chosen && <p className={styles.remark}>There is no expected answer to compare with.</p>}
      {error && <OutputFailure error={error} isWrapped={likings.isWrapped} />}
      {error && old !== undefined && (
        <section className={styles.value} aria-label={chosen?.name}>
          <h3 className={styles.valueHead}>{chosen?.name}</h3>
          <PlainText text={old} isWrapped={likings.isWrapped} />
        </section>
      )}
      {isBaseline && baseline.error && <Failure error={baseline.error} />}
      {chosen && old === undefined && !baseline.error && <Waiting />}
      {chosen && old !== undefined && !error && (
        <DiffView
          key={`${chosen.id} ${outputIndex}`}
          old={old}
          text={shaped}
          names={[chosen.name, name]}
          isSplit={likings.isSplit}
          isWrapped={likings.isWrapped}
        />
      )}
    </>
  )
}

function choicesOf(
  { scenario, outputIndex, base }: Opened,
  baseline: EvaluationScenario | undefined,
): Choice[] {
  const answers = scenario.correct_answers ?? []
  const expected = answers.map(({ key, value }, index) => ({
    id: `expected ${index}`,
    name: answers.length > 1 ? `expected ${key}` : 'expected',
    text: value,
  }))
  const others = scenario.outputs.flatMap(({ result }, index) =>
    index === outputIndex
      ? []
      : [{ id: `output ${index}`, name: `output ${index + 1}`, text: textOf(result.value) }],
  )
  const ofBase = baseline && (baseline.outputs[outputIndex] ?? baseline.outputs[0])
  const besides: Choice[] = base
    ? [{ id: 'baseline', name: 'baseline output', text: baseline && textOf(ofBase?.result.value) }]
    : []
  return [...expected, ...others, ...besides]
}

/** As JSON, both are laid out the same way, so that only what differs does. */
function alike(old: string, text: string, isJson: boolean): [old: string, text: string] {
  if (!isJson) return [old, text]
  try {
    return [old, text].map((one) => textOf(asJson(parseExactly(one)))) as [string, string]
  } catch {
    return [old, text]
  }
}

/** A text that is JSON stays in its quotes. */
function asJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.stringify(value) : value
}

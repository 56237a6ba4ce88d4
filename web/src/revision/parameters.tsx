// Parameters by path, with their exact values as text.
import { counted } from '../format/numbers.ts'
import { useCut } from '../parts/cut.ts'
import { LongText } from '../parts/long-text.tsx'
import type { Parameter } from './paths.ts'
import styles from './revision.module.css'
import { wordsOf } from './value-words.ts'

const SHOWN = 300

export function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  const { items, left, showAll } = useCut(parameters, SHOWN)
  return (
    <>
      <table className={styles.parameters}>
        <thead className="unseen">
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ path, value }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>
                <pre>
                  <LongText text={wordsOf(value)} />
                </pre>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" onClick={showAll}>
          Show {counted(left, 'more parameter')}
        </button>
      )}
    </>
  )
}

// Table of parameters: path and exact value.
import { LongText, useTruncatedList } from '../../ui/truncation.tsx'
import styles from '../revisions.module.css'
import type { Parameter } from './parameter-paths.ts'
import { valueLabel } from './value-labels.ts'

const MAX_ITEMS = 300

export function ParameterTable({ parameters }: { parameters: readonly Parameter[] }) {
  const { items, showAll } = useTruncatedList(parameters, MAX_ITEMS, 'parameter')
  return (
    <>
      <table className={styles.parameters}>
        <thead className="sr-only">
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
                  <LongText text={valueLabel(value)} />
                </pre>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {showAll}
    </>
  )
}

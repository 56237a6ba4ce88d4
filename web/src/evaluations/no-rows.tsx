// In place of rows where the filters leave none: what they are, and a way to drop each.
import { useChangeSearch } from '../change-search.ts'
import type { Search } from '../search.ts'
import styles from './table.module.css'
import type { ListView } from './view.ts'

export function NoRows({ view }: { view: ListView }) {
  const change = useChangeSearch()
  const filters = filterWords(view)
  return (
    <div className={styles.none}>
      <p>No evaluation fits {filters.map(([words]) => words).join(' and ')}.</p>
      {filters.map(([words, without]) => (
        <button key={words} type="button" onClick={() => change(without)}>
          Without {words}
        </button>
      ))}
    </div>
  )
}

/** Each filter in words, and the change of the address that drops it. */
function filterWords({ name, variant, revision, evaluator }: ListView): [words: string, without: Search][] {
  const words: [string | undefined, string, Search][] = [
    [name, `the name “${name}”`, { name: undefined }],
    [variant, `the variant ${variant}`, { variant_id: undefined }],
    [revision, `the revision r${revision}`, { revision: undefined }],
    [evaluator, `the evaluator ${evaluator}`, { evaluator: undefined }],
  ]
  return words.flatMap(([value, text, without]) => (value === undefined ? [] : [[text, without]]))
}

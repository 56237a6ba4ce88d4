// Why there are no rows, and what to do about it: filters to take away one by one, or the lines that add rows.
import { useQuery } from '@tanstack/react-query'
import { assay } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { counted } from '../format/numbers.ts'
import styles from '../grid/grid.module.css'
import { CopyButton } from '../parts/copy-button.tsx'
import { filterWords } from './filter-words.ts'
import { queryOf, type RowQuestion } from './questions.ts'
import type { Shown } from './shown.ts'
import { type Filter, withoutFilters } from './view.ts'

export function NoMatch({ shown, question }: { shown: Shown; question: RowQuestion }) {
  const change = useChangeSearch()
  const { filters } = question
  return (
    <div className={styles.empty}>
      <h2>No row matches</h2>
      <p>{filters.map(filterWords).join(' and ')}</p>
      <ul>
        {filters.map((filter) => (
          <Without key={filter[0]} id={shown.id} question={question} filter={filter} />
        ))}
      </ul>
      {filters.length > 1 && (
        <p>
          <button type="button" onClick={removing(() => change(withoutFilters(filters)))}>
            Remove all filters
          </button>
        </p>
      )}
    </div>
  )
}

function Without({ id, question, filter }: { id: string; question: RowQuestion; filter: Filter }) {
  const change = useChangeSearch()
  const others = { filters: question.filters.filter((one) => one !== filter), base: question.base }
  const { data } = useQuery({
    queryKey: ['evaluation', id, 'total', others],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(id, { ...queryOf(others), limit: 1, preview: 1 }, { signal }),
  })
  return (
    <li>
      <button type="button" onClick={removing(() => change({ [filter[0]]: undefined }))}>
        Without {filterWords(filter)}
        {data && `: ${counted(data.total, 'row')}`}
      </button>
    </li>
  )
}

/** The button goes with the filter, so the search takes the focus. */
function removing(remove: () => void): () => void {
  return () => {
    document.querySelector<HTMLElement>('search input')?.focus()
    remove()
  }
}

export function NoRows({ id }: { id: string }) {
  const path = `/api/evaluations/${encodeURIComponent(id)}/evaluation_scenarios`
  const lines = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  --data '[{"inputs": [{"name": "question", "type": "text", "value": "What is the capital of Chad?"}],
            "outputs": [{"result": {"type": "text", "value": "N\\u0027Djamena"}}],
            "results": [{"evaluator_config": "exact_match", "result": {"type": "bool", "value": true}}]}]' \\
  '${location.origin}${path}'`
  return (
    <div className={styles.empty}>
      <h2>No rows yet</h2>
      <p>The evaluation was created, and nothing has been received for it so far. These lines add a row:</p>
      <pre>{lines}</pre>
      <p>
        <CopyButton text={lines}>Copy</CopyButton>{' '}
        <span className="soft">The variable ASSAY_KEY is for a key with the scope write.</span>
      </p>
    </div>
  )
}

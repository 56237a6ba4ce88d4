// An evaluation without rows, and the lines that add some.
import styles from '../grid/grid.module.css'
import { CopyButton } from '../parts/copy-button.tsx'

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

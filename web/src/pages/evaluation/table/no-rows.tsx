// The empty state of an evaluation without rows, with a command that adds one.
import { SERVICE_URL } from '../../../state/base-path.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import styles from './no-rows.module.css'

export function NoRows({ id }: { id: string }) {
  const path = `/api/evaluations/${encodeURIComponent(id)}/evaluation_scenarios`
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  --data '[{"inputs": [{"name": "question", "type": "text", "value": "What is the capital of Chad?"}],
            "outputs": [{"result": {"type": "text", "value": "N\\u0027Djamena"}}],
            "results": [{"evaluator_config": "exact_match", "result": {"type": "bool", "value": true}}]}]' \\
  '${SERVICE_URL}${path}'`
  return (
    <MessageBlock title="No rows yet" actions={<CopyButton text={command}>Copy</CopyButton>}>
      <p>Add a row with this command. Set ASSAY_KEY to a key with the write scope.</p>
      <pre className={styles.command}>{command}</pre>
    </MessageBlock>
  )
}

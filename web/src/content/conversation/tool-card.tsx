// Cards for calls of tools and for what the tools returned.
import { CornerDownRight, Wrench } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { JsonValue } from '../json-value.tsx'
import styles from './conversation.module.css'
import type { Part } from './model.ts'

export function CallCard({ call }: { call: Extract<Part, { kind: 'call' }> }) {
  return (
    <div className={styles.card}>
      <p className={styles.cardHeader}>
        <Icon icon={Wrench} />
        <code>{call.name}</code> <span className="muted">tool call</span>
      </p>
      {call.input !== undefined && call.input !== null && (
        <div className={styles.cardBody}>
          <JsonValue value={call.input} />
        </div>
      )}
    </div>
  )
}

interface ResultCardProps {
  result: Extract<Part, { kind: 'result' }>
  children: ReactNode
}

export function ResultCard({ result, children }: ResultCardProps) {
  return (
    <div className={styles.card}>
      <p className={styles.cardHeader}>
        <Icon icon={CornerDownRight} />
        {result.name !== undefined && <code>{result.name}</code>}{' '}
        <span className={result.isError ? 'worse' : 'muted'}>{result.isError ? 'error' : 'result'}</span>
      </p>
      {result.parts.length > 0 && <div className={styles.cardBody}>{children}</div>}
    </div>
  )
}

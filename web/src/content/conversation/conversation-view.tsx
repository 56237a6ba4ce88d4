// A conversation: a block per message, with the role on the left.
import { useMemo } from 'react'
import { JsonValue } from '../json-value.tsx'
import type { Shape } from '../shape.ts'
import { Collapsible } from './collapsible.tsx'
import styles from './conversation.module.css'
import { MessageList } from './message-list.tsx'
import type { TextDisplay } from './message-view.tsx'
import { readConversation } from './read.ts'

interface ConversationViewProps extends TextDisplay {
  shape: Extract<Shape, { kind: 'conversation' }>
}

export function ConversationView({ shape, ...display }: ConversationViewProps) {
  const { messages, otherMembers } = useMemo(() => readConversation(shape), [shape])
  const otherNames = Object.keys(otherMembers)
  return (
    <div className={styles.frame}>
      <div className={styles.conversation}>
        <MessageList messages={messages} {...display} />
        {otherNames.length > 0 && (
          <div className={styles.message}>
            <p className={styles.role}>Other</p>
            <Collapsible summary={otherNames.join(', ')}>
              <JsonValue value={otherMembers} />
            </Collapsible>
          </div>
        )}
      </div>
    </div>
  )
}

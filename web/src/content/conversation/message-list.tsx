// The messages of a conversation, or of one turn. Of a long list, the first and the last ones until the user asks for more.
import { useMemo, useState } from 'react'
import type { Message } from '../../../../src/conversation/model.ts'
import { readConversation } from '../../../../src/conversation/read.ts'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { JsonValue } from '../json-value.tsx'
import type { Shape } from '../shape.ts'
import styles from './conversation.module.css'
import { Collapsible, MessageView, type TextDisplay } from './message-view.tsx'

/** Messages shown at the start of a long list, then with each click, and at its end. */
const FIRST_COUNT = 50
const NEXT_COUNT = 500
const LAST_COUNT = 20

interface MessageListProps extends TextDisplay {
  messages: readonly Message[]
  /** In a comparison, the messages that differ from the first conversation. */
  changed?: ReadonlySet<Message>
}

export function MessageList({ messages, changed, ...display }: MessageListProps) {
  const [visibleCount, setVisibleCount] = useState(FIRST_COUNT)
  const hiddenCount = Math.max(0, messages.length - LAST_COUNT - visibleCount)
  const firstCount = hiddenCount === 0 ? messages.length : visibleCount
  const show = (message: Message, index: number) => (
    <MessageView key={index} message={message} isChanged={changed?.has(message)} {...display} />
  )
  return (
    <>
      {messages.slice(0, firstCount).map(show)}
      {hiddenCount > 0 && (
        <Button size="small" onClick={() => setVisibleCount(visibleCount + NEXT_COUNT)}>
          Show {pluralize(Math.min(hiddenCount, NEXT_COUNT), 'more message')}
          {hiddenCount > NEXT_COUNT && ` of ${formatCount(hiddenCount)}`}
        </Button>
      )}
      {hiddenCount > 0 &&
        messages.slice(-LAST_COUNT).map((message, index) => show(message, index - LAST_COUNT))}
    </>
  )
}

interface ConversationViewProps extends TextDisplay {
  shape: Extract<Shape, { kind: 'conversation' }>
}

/** A conversation: a block per message, with the role on the left. */
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

// A conversation: a block per message, with the role on the left.
import { useMemo, useState } from 'react'
import { pluralize } from '../../format/numbers.ts'
import type { TextFormat } from '../../state/row-params.ts'
import { Button } from '../../ui/button.tsx'
import type { Shape } from '../shape.ts'
import { Collapsible } from './collapsible.tsx'
import styles from './conversation.module.css'
import { MessageView } from './message-view.tsx'
import { JsonValue } from './pairs.tsx'
import { readConversation } from './read.ts'

/** Messages shown at the start of a long conversation, then with each click, and at its end. */
const FIRST_COUNT = 50
const NEXT_COUNT = 500
const LAST_COUNT = 20

interface ConversationViewProps {
  shape: Extract<Shape, { kind: 'conversation' }>
  textFormat: TextFormat
  isWrapped: boolean
}

export function ConversationView({ shape, textFormat, isWrapped }: ConversationViewProps) {
  const { messages, otherMembers } = useMemo(() => readConversation(shape), [shape])
  const [visibleCount, setVisibleCount] = useState(FIRST_COUNT)
  const hiddenCount = Math.max(0, messages.length - LAST_COUNT - visibleCount)
  const otherNames = Object.keys(otherMembers)
  const display = { textFormat, isWrapped }
  const items = messages.map((message, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never move
    <MessageView key={index} message={message} {...display} />
  ))
  return (
    <div className={styles.frame}>
      <div className={styles.conversation}>
        {hiddenCount === 0 ? items : items.slice(0, visibleCount)}
        {hiddenCount > 0 && (
          <>
            <Button size="small" onClick={() => setVisibleCount(visibleCount + NEXT_COUNT)}>
              Show {pluralize(Math.min(hiddenCount, NEXT_COUNT), 'more message')} of {hiddenCount}
            </Button>
            {items.slice(-LAST_COUNT)}
          </>
        )}
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

// Two to four conversations side by side: a column per conversation, and a row per turn. The first one is the baseline.
import { useMemo } from 'react'
import { useTruncatedList } from '../../ui/truncation.tsx'
import styles from './conversation.module.css'
import { MessageList } from './message-list.tsx'
import type { TextDisplay } from './message-view.tsx'
import { alignTurns } from './turns.ts'

/** Turns that are shown until the user asks for all of them. */
const MAX_TURNS = 30

interface ConversationColumnsProps extends TextDisplay {
  /** A value that is not a conversation counts as the answer of an assistant; undefined is an empty column. */
  conversations: readonly { name: string; value: unknown }[]
}

export function ConversationColumns({ conversations, ...display }: ConversationColumnsProps) {
  const turns = useMemo(() => alignTurns(conversations.map(({ value }) => value)), [conversations])
  const { items, showAll } = useTruncatedList(turns, MAX_TURNS, 'turn')
  return (
    <div className={styles.frame}>
      <div className={styles.columns} data-count={conversations.length}>
        <div className={`${styles.turn} ${styles.columnNames}`} aria-hidden="true">
          {conversations.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two evaluations can have the same name
            <bdi key={index}>{name}</bdi>
          ))}
        </div>
        {items.map(({ label, cells }) => (
          <section key={label} className={styles.turn} aria-label={label}>
            {cells.map(({ messages, changed }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <div key={index} role="group" className={styles.cell} aria-label={conversations[index]?.name}>
                <p className={styles.cellName} aria-hidden="true">
                  <bdi>{conversations[index]?.name}</bdi>
                </p>
                <div className={styles.conversation}>
                  <MessageList messages={messages} {...(index > 0 && { changed })} {...display} />
                  {messages.length === 0 && <p className="quiet">No message in this turn.</p>}
                </div>
              </div>
            ))}
          </section>
        ))}
        {showAll}
      </div>
    </div>
  )
}

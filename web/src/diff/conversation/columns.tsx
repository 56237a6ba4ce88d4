// Two to four conversations side by side: a column per conversation, and a row per turn. The first one is the baseline.
import { type ReactNode, useMemo } from 'react'
import type { Part } from '../../../../src/conversation/model.ts'
import styles from '../../content/conversation/conversation.module.css'
import { MessageList } from '../../content/conversation/message-list.tsx'
import type { TextDisplay } from '../../content/conversation/message-view.tsx'
import { PlainText } from '../../content/plain-text.tsx'
import { useTruncatedList } from '../../ui/truncation.tsx'
import { markedText } from '../diff-row.tsx'
import prose from '../prose.module.css'
import { type Changes, changesBetween } from './changes.ts'
import { alignTurns, type Cell, type Turn } from './turns.ts'

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
        {items.map((turn) => (
          <TurnColumns
            key={turn.label}
            turn={turn}
            names={conversations.map(({ name }) => name)}
            {...display}
          />
        ))}
        {showAll}
      </div>
    </div>
  )
}

interface TurnColumnsProps extends TextDisplay {
  turn: Turn
  names: string[]
}

function TurnColumns({ turn: { label, cells }, names, ...display }: TurnColumnsProps) {
  const changes = useMemo(() => columnChanges(cells), [cells])
  return (
    <section className={styles.turn} aria-label={label}>
      {cells.map(({ messages, changed }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
        <div key={index} role="group" className={styles.cell} aria-label={names[index]}>
          <p className={styles.cellName} aria-hidden="true">
            <bdi>{names[index]}</bdi>
          </p>
          <div className={styles.conversation}>
            <MessageList
              messages={messages}
              {...(index > 0 && { changed })}
              {...display}
              changedText={(part) => markChanges(part, changes[index], index === 0 ? 'del' : 'ins', display)}
            />
            {messages.length === 0 && <p className="quiet">No message in this turn.</p>}
          </div>
        </div>
      ))}
    </section>
  )
}

/** Per column. Words of the baseline are marked if it is compared with one conversation only. */
function columnChanges([first, ...others]: Cell[]): Changes[] {
  const compared = others.map(({ messages }) => changesBetween(first?.messages ?? [], messages))
  const removed = new Map(compared.flatMap((changes) => [...changes.removed]))
  const baseline = compared.length < 2 ? removed : withoutMarks(removed)
  return [baseline, ...compared.map(({ added }) => added)]
}

/** The same texts, so that JSON is displayed in the same way in all columns. */
function withoutMarks(changes: Changes): Changes {
  return new Map(
    [...changes].map(([part, changed]) => [part, { ...changed, pieces: [{ text: changed.text }] }]),
  )
}

/** Undefined if nothing is marked in the part. Markdown of prose is displayed without marks. */
function markChanges(
  part: Part,
  changes: Changes | undefined,
  Tag: 'del' | 'ins',
  { textFormat, isWrapped }: TextDisplay,
): ReactNode {
  const changed = changes?.get(part)
  if (!changed || (changed.isProse && textFormat === 'markdown')) return undefined
  return (
    <PlainText text={changed.text} isWrapped={isWrapped} isProse={changed.isProse}>
      {markedText(changed.pieces, (text) => (
        <Tag className={prose.mark}>{text}</Tag>
      ))}
    </PlainText>
  )
}

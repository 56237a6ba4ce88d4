// The members of a small object, as pairs of name and value. Nested values are trees.
import { digitsOf } from '../../format/exact-json.ts'
import { LongText } from '../../ui/truncation.tsx'
import { isScalar, type JsonObject } from '../shape.ts'
import { Member, NO_SEARCH } from './member.tsx'
import { memberPath } from './members.ts'
import styles from './pairs.module.css'
import { hasMembers } from './search.ts'

/** Shorter texts are in quotes, so that they differ from numbers, and can share a line. */
const SHORT_LENGTH = 40
/** Nested values with more members are collapsed. */
const MAX_OPEN_MEMBERS = 4

export function Pairs({ members }: { members: JsonObject }) {
  return (
    <dl className={styles.pairs}>
      {Object.entries(members).map(([name, value]) => (
        <div key={name} className={isShort(value) ? undefined : styles.wide}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd dir="auto">
            {isScalar(value) ? (
              <ScalarText value={value} />
            ) : (
              <Member
                value={value}
                path={memberPath('', name, 0)}
                depth={hasMembers(value, MAX_OPEN_MEMBERS) ? 2 : 1}
                search={NO_SEARCH}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function ScalarText({ value }: { value: unknown }) {
  return <LongText text={scalarText(value)} />
}

function isShort(value: unknown): boolean {
  return isScalar(value) && scalarText(value).length < SHORT_LENGTH
}

/** Long texts and those with quotes are shown as they are: escaped ones are hard to read. */
function scalarText(value: unknown): string {
  if (typeof value !== 'string') return digitsOf(value) ?? String(value)
  return value.length < SHORT_LENGTH && !/["\\\n]/.test(value) ? `"${value}"` : value
}

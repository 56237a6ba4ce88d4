// Which candidate stands beside the base: by button or digit where there are several.
import { useChangeSearch } from '../change-search.ts'
import shared from '../scenario/scenario.module.css'
import { useShortcuts } from '../shortcuts.ts'
import type { OpenedRow } from './opened-row.ts'
import styles from './panel.module.css'
import { CLASS_SIGNS, colourOf } from './panel-states.tsx'

/** `chosen` counts from 1. */
export function PanelPairs({ opened, chosen }: { opened: OpenedRow; chosen: number }) {
  const { base, candidates, row } = opened
  const change = useChangeSearch()
  const choose = (pair: number) => change({ pair: pair === 1 ? undefined : String(pair) }, { replace: true })
  const digits = candidates.length < 2 ? [] : candidates.map((_, index) => index + 1)
  useShortcuts('panel', Object.fromEntries(digits.map((digit) => [digit, () => choose(digit)])))
  if (candidates.length < 2) return null
  return (
    <div role="group" aria-label={`Candidate beside ${base.name}`} className={styles.pair}>
      <span className={shared.joined}>
        {candidates.map(({ compared, name }, index) => {
          const joined = row.candidates[index]
          return (
            <button
              key={compared.id}
              type="button"
              aria-pressed={index + 1 === chosen}
              title={`${name}: ${joined?.class} (${index + 1})`}
              onClick={() => choose(index + 1)}
            >
              <span className="soft">{index + 1}</span> <bdi className={shared.short}>{name}</bdi>{' '}
              {joined && (
                <span className={colourOf(joined.class)}>
                  <span aria-hidden="true">{CLASS_SIGNS[joined.class]}</span>
                  <span className="unseen">{joined.class}</span>
                </span>
              )}
            </button>
          )
        })}
      </span>
    </div>
  )
}

// The map of all keys, and the switch for single letters.
import { showModal } from '../parts/focus.ts'
import { setPreference, usePreference } from '../preferences.ts'
import { useConfinement } from './confinement.ts'
import styles from './shell.module.css'

const KEYS: [where: string, keys: [keys: string, does: string][]][] = [
  [
    'Everywhere',
    [
      ['?', 'this map'],
      ['/', 'search in this view'],
      ['Esc', 'close, then clear the search'],
      ['g e', 'evaluations'],
      ['g v', 'variants'],
      ['y', 'copy link'],
      ['.', 'copy as'],
      ['T', 'light or dark'],
    ],
  ],
  [
    'Tables',
    [
      ['j k ↓ ↑', 'next, previous row'],
      ['PgDn PgUp', 'a page down, up'],
      ['Home End', 'first, last row'],
      ['← →', 'cell; Enter on a header sorts'],
      ['Enter o', 'open'],
      ['n N', 'next, previous failure or regression'],
      ['d', 'density'],
      ['p e', 'pin, note'],
    ],
  ],
  [
    'Evaluations, revisions',
    [
      ['x', 'select'],
      ['c', 'compare'],
      ['b', 'set as baseline'],
      ['d', 'diff the two selected, or one with the one before it'],
    ],
  ],
  [
    'Panel, diff',
    [
      ['j k', 'next, previous row'],
      ['n N', 'next, previous failure or regression'],
      ['] [', 'next, previous change'],
      ['1 – 5', 'tabs; in a comparison, candidates'],
      ['s', 'split or unified'],
      ['t m r', 'text, Markdown, raw JSON'],
      ['w', 'wrap lines'],
      ['f', 'full page or panel'],
    ],
  ],
]

export function KeyMap({ onClose }: { onClose: () => void }) {
  const letters = usePreference('letters')
  const isConfined = useConfinement() !== null
  return (
    <dialog ref={showModal} aria-labelledby="key-map" className={styles.keyMap} onClose={onClose}>
      <h2 id="key-map">Keyboard</h2>
      <div className={styles.keys}>
        {KEYS.map(([where, keys]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys
                .filter(([names]) => !(isConfined && isWayToList(names)))
                .map(([names, does]) => (
                  <div key={names}>
                    <dt>
                      <kbd>{names}</kbd>
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog">
        <label>
          <input
            type="checkbox"
            checked={letters !== 'off'}
            onChange={(event) => setPreference('letters', event.target.checked ? undefined : 'off')}
          />{' '}
          Single letters act
        </label>
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

function isWayToList(names: string): boolean {
  return names.startsWith('g ')
}

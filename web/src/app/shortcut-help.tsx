// The help dialog with all shortcuts, and the setting for single-letter shortcuts.

import { useRestriction } from '../api/restriction.ts'
import { setPreference, usePreference } from '../state/preferences.ts'
import { showModal } from '../ui/focus.ts'
import styles from './shell.module.css'

const SHORTCUTS: [area: string, shortcuts: [keys: string, action: string][]][] = [
  [
    'Everywhere',
    [
      ['?', 'this help'],
      ['/', 'search'],
      ['Esc', 'close; clear the search'],
      ['g e', 'go to evaluations'],
      ['g v', 'go to variants'],
      ['y', 'copy link'],
      ['.', 'copy as'],
      ['T', 'switch theme'],
    ],
  ],
  [
    'Tables',
    [
      ['j k ↓ ↑', 'next, previous row'],
      ['PgDn PgUp', 'page down, up'],
      ['Home End', 'first, last row'],
      ['← →', 'move by cell; Enter on a header sorts'],
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
      ['d', 'diff two selected, or one with the previous'],
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

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const letters = usePreference('letters')
  const isRestricted = useRestriction() !== null
  return (
    <dialog ref={showModal} aria-labelledby="shortcuts" className={styles.shortcutHelp} onClose={onClose}>
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <div className={styles.shortcuts}>
        {SHORTCUTS.map(([area, shortcuts]) => (
          <section key={area}>
            <h3>{area}</h3>
            <dl>
              {shortcuts
                .filter(([keys]) => !(isRestricted && opensList(keys)))
                .map(([keys, action]) => (
                  <div key={keys}>
                    <dt>
                      <kbd>{keys}</kbd>
                    </dt>
                    <dd>{action}</dd>
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
          Single-letter shortcuts
        </label>
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

function opensList(keys: string): boolean {
  return keys.startsWith('g ')
}

// The help dialog with the shortcuts that are active now, and the setting for single-letter shortcuts.
import { setPreference, usePreference } from '../state/preferences.ts'
import { type Layer, listShortcuts } from '../state/shortcuts.ts'
import { KeyCaps } from '../ui/keys.tsx'
import { Dialog } from '../ui/messages/dialog.tsx'
import styles from './shortcut-help.module.css'

const LAYERS: [layer: Layer, title: string][] = [
  ['panel', 'Row'],
  ['page', 'This page'],
  ['shell', 'Everywhere'],
]

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const letters = usePreference('letters')
  const shortcuts = listShortcuts().filter(({ keys }) => keys.length > 0)
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={onClose}>
      <div className={styles.shortcuts}>
        {LAYERS.map(([layer, title]) => {
          const ofLayer = shortcuts.filter((shortcut) => shortcut.layer === layer)
          return (
            ofLayer.length > 0 && (
              <section key={layer}>
                <h3>{title}</h3>
                <dl>
                  {ofLayer.map(({ label, keys }) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>
                        <KeyCaps keys={keys} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          )
        })}
      </div>
      <label className={styles.letters}>
        <input
          type="checkbox"
          checked={letters !== 'off'}
          onChange={(event) => setPreference('letters', event.target.checked ? undefined : 'off')}
        />
        Single-letter shortcuts
      </label>
    </Dialog>
  )
}

// The results of the palette as a listbox. The focus stays in the field above.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Keys } from '../../ui/keys.tsx'
import styles from './palette.module.css'
import { type PaletteItem, usePaletteGroups } from './palette-items.ts'

const DEBOUNCE_MS = 150

interface PaletteResultsProps {
  /** The id of the listbox. */
  id: string
  text: string
  dialog: RefObject<HTMLDialogElement | null>
  /** Called with the id of the active option. */
  onActive: (id: string | undefined) => void
}

export function PaletteResults({ id, text, dialog, onActive }: PaletteResultsProps) {
  const [active, setActive] = useState({ text, index: 0 })
  const { groups, status } = usePaletteGroups(text, useDebounced(text))
  const items = groups.flatMap((group) => group.items)
  // Another text starts at the first item again.
  const activeIndex = active.text === text ? Math.min(active.index, items.length - 1) : 0
  const activeItem = items[activeIndex]
  const activeId = activeItem && `${id}${activeIndex}`
  useEffect(() => onActive(activeId), [activeId, onActive])

  function choose(item: PaletteItem) {
    // Closing returns the focus to where it was, which the action may depend on.
    dialog.current?.close()
    item.run()
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      setActive({ text, index: (activeIndex + step + items.length) % items.length })
    } else if (event.key === 'Enter' && activeItem) choose(activeItem)
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) dialog.current?.close()
    else return
    event.preventDefault()
  })
  const onClick = useEffectEvent(({ target }: Event) => target === dialog.current && dialog.current?.close())
  useEffect(() => {
    const { current: element } = dialog
    const listeners = new AbortController()
    element?.addEventListener('keydown', onKeyDown, listeners)
    // A click outside the dialog has the dialog as its target.
    element?.addEventListener('click', onClick, listeners)
    return () => listeners.abort()
  }, [dialog])
  return (
    <>
      <div id={id} role="listbox" aria-label="Results" hidden={items.length === 0} className={styles.list}>
        {groups.map(({ title, items: groupItems }) => (
          <div key={title} role="group" aria-label={title}>
            <div aria-hidden="true" className={styles.heading}>
              {title}
            </div>
            {groupItems.map((item) => (
              <Option
                key={item.id}
                id={`${id}${items.indexOf(item)}`}
                item={item}
                isActive={item === activeItem}
                onChoose={() => choose(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {status || (items.length === 0 && 'No matches.')}
      </p>
    </>
  )
}

interface OptionProps {
  id: string
  item: PaletteItem
  isActive: boolean
  onChoose: () => void
}

function Option({ id, item, isActive, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      onClick={onChoose}
    >
      <Icon icon={item.icon} />
      <bdi className={styles.label}>{item.label}</bdi>
      {item.detail && <bdi className={styles.detail}>{item.detail}</bdi>}
      {item.keys && <Keys keys={item.keys} />}
    </div>
  )
}

/** The text after a pause in typing. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

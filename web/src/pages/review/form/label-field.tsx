// Labels of a row as chips, and a field that finds one or adds a new one.
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatCount } from '../../../format/numbers.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Keys } from '../../../ui/keys.tsx'
import styles from './form.module.css'
import type { LabelOption } from './labels.ts'

/** More chips than this are only found by typing. */
const MAX_CHIPS = 12
const MAX_MATCHES = 8
const MAX_LABEL_LENGTH = 200

interface LabelFieldProps {
  title?: string
  hint?: string
  noun: string
  options: readonly LabelOption[]
  selected: readonly string[]
  hasKeys: boolean
  onToggle: (label: string) => void
}

export function LabelField({ title, hint, noun, options, selected, hasKeys, onToggle }: LabelFieldProps) {
  const chips = options.filter(({ label }, index) => index < MAX_CHIPS || selected.includes(label))
  return (
    <div className={styles.labels}>
      {title !== undefined && (
        <h3>
          {title} <span className="quiet">{hint}</span>
        </h3>
      )}
      {chips.length > 0 && (
        <div role="group" aria-label={title ?? noun} className={styles.chips}>
          {chips.map(({ label, rows, digit }) => (
            <Chip
              key={label}
              className={styles.mode}
              icon={digit !== undefined && <Keys keys={[digit]} />}
              count={rows === 0 ? undefined : rows}
              isPressed={selected.includes(label)}
              aria-keyshortcuts={digit}
              onClick={() => onToggle(label)}
            >
              <bdi className="ellipsis">{label}</bdi>
            </Chip>
          ))}
        </div>
      )}
      <LabelSearch noun={noun} options={options} selected={selected} hasKey={hasKeys} onSelect={onToggle} />
    </div>
  )
}

interface LabelSearchProps extends Pick<LabelFieldProps, 'noun' | 'options' | 'selected'> {
  hasKey: boolean
  onSelect: (label: string) => void
}

function LabelSearch({ noun, options, selected, hasKey, onSelect }: LabelSearchProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const typed = text.trim().slice(0, MAX_LABEL_LENGTH)
  const matches = findMatches(options, typed)
  const isNew = typed !== '' && !options.some(({ label }) => isEqual(label, typed))
  const choices = [...matches.map(({ label }) => label), ...(isNew ? [typed] : [])]
  const isOpen = choices.length > 0

  /** The keys of the page work again after it. */
  function choose(label: string) {
    if (!selected.includes(label)) onSelect(label)
    setText('')
    input.current?.blur()
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const choice = choices[active]
    if (step !== undefined && isOpen) setActive((active + step + choices.length) % choices.length)
    else if (event.key === 'Enter' && choice !== undefined && !event.ctrlKey && !event.metaKey) choose(choice)
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.search}>
      <input
        ref={input}
        role="combobox"
        aria-label={`Find or add a ${noun}`}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={isOpen ? `${id}${active}` : undefined}
        autoComplete="off"
        maxLength={MAX_LABEL_LENGTH}
        placeholder={`Type to find or add a ${noun}`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setText('')}
      />
      {hasKey && <Keys keys={['m']} />}
      <div id={id} role="listbox" aria-label={`Matching ${noun}s`} hidden={!isOpen}>
        {choices.map((label, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={label}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === active}
            // Pressing it must not take the focus from the field, which would close the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(label)}
          >
            {matches[index] ? (
              <>
                <bdi className="ellipsis">{label}</bdi>
                <span className="quiet">{formatCount(matches[index].rows)}</span>
              </>
            ) : (
              <span className="ellipsis">
                Add “<bdi>{label}</bdi>”
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

const isEqual = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The label with exactly this text comes first. */
function findMatches(options: readonly LabelOption[], text: string): LabelOption[] {
  if (text === '') return []
  const found = options.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
  return found
    .toSorted((one, other) => Number(isEqual(other.label, text)) - Number(isEqual(one.label, text)))
    .slice(0, MAX_MATCHES)
}

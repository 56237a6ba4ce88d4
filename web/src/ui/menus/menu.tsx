// A button that opens a popover next to it, and the items of a menu.
import { Check, ChevronDown } from 'lucide'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import buttonStyles from '../button.module.css'
import { type ButtonVariant, buttonClass } from '../button.tsx'
import { Icon, type IconType } from '../icon.tsx'
import { Keys } from '../keys.tsx'
import styles from './menu.module.css'
import { placeNextTo } from './placement.ts'

interface MenuProps {
  /** The text of the button, or its accessible name with `isIconOnly`. */
  label: ReactNode
  icon?: IconType | undefined
  isIconOnly?: boolean
  variant?: ButtonVariant | undefined
  size?: 'small' | undefined
  /** Explains the button. */
  title?: string | undefined
  shortcut?: string | undefined
  className?: string | undefined
  /** The side of the button that the popover is aligned with. */
  align?: 'start' | 'end' | undefined
  /** For shortcuts that open the menu. */
  buttonRef?: RefObject<HTMLButtonElement | null> | undefined
  children: ReactNode
}

export function Menu(props: MenuProps) {
  const {
    label,
    icon,
    isIconOnly = false,
    variant,
    size,
    title,
    shortcut,
    className,
    align,
    buttonRef,
    children,
  } = props
  const id = useId()
  const ownRef = useRef<HTMLButtonElement>(null)
  const button = buttonRef ?? ownRef
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const popover = document.getElementById(id)
    if (!isOpen || !popover) return
    // Its size also changes when lazy contents load.
    const observer = new ResizeObserver(() => button.current && placeNextTo(popover, button.current, align))
    observer.observe(popover)
    return () => observer.disconnect()
  }, [isOpen, id, button, align])
  return (
    <>
      <button
        ref={button}
        type="button"
        className={buttonClass({ variant, size }, isIconOnly ? buttonStyles.iconOnly : undefined, className)}
        popoverTarget={id}
        aria-haspopup="true"
        aria-expanded={isOpen}
        aria-label={isIconOnly && typeof label === 'string' ? label : undefined}
        aria-keyshortcuts={shortcut}
        data-tooltip={title ?? (isIconOnly && typeof label === 'string' ? label : undefined)}
        data-shortcut={shortcut}
        onKeyDown={enterMenu}
      >
        {icon && <Icon icon={icon} />}
        {!isIconOnly && label}
        {!isIconOnly && <Icon icon={ChevronDown} size={14} />}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the controls inside */}
      <div
        ref={closeOnChoice}
        id={id}
        popover="auto"
        onKeyDown={moveFocus}
        onBeforeToggle={({ newState, target, currentTarget }) => {
          // Browsers return the focus only from a popover that is not inside another one.
          const isClosing = target === currentTarget && newState === 'closed'
          if (isClosing && currentTarget.contains(document.activeElement)) button.current?.focus()
        }}
        onToggle={({ newState, target, currentTarget }) => {
          // React also reports the menus inside this one.
          if (target === currentTarget) setIsOpen(newState === 'open')
        }}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** A click on a button or link inside closes the popover, unless the element has data-keep-open. */
function closeOnChoice(popover: HTMLElement | null): (() => void) | undefined {
  const close = (event: Event) => {
    const control = (event.target as Element).closest('button, a')
    // A menu inside this one closes on its own.
    const isOwn = control?.closest('[popover]') === popover && !control?.hasAttribute('popovertarget')
    if (control && isOwn && !control.hasAttribute('data-keep-open')) popover?.hidePopover()
  }
  popover?.addEventListener('click', close)
  return () => popover?.removeEventListener('click', close)
}

/** The down key on the button moves the focus to the first control. It opens the menu first. */
function enterMenu(event: KeyboardEvent<HTMLButtonElement>) {
  const popover = event.currentTarget.popoverTargetElement
  if (event.key !== 'ArrowDown' || !popover) return
  event.preventDefault()
  const focusFirst = () => {
    const controls = controlsOf(popover)
    const [first] = controls
    // A menu of options opens at the chosen one.
    const chosen = first?.ariaPressed && controls.find(({ ariaPressed }) => ariaPressed === 'true')
    ;(chosen || first)?.focus()
  }
  if (popover.matches(':popover-open')) return focusFirst()
  popover.addEventListener('toggle', () => requestAnimationFrame(focusFirst), { once: true })
  event.currentTarget.click()
}

function controlsOf(popover: Element): HTMLElement[] {
  const controls = [...popover.querySelectorAll<HTMLElement>('button:enabled, a[href]')]
  return controls.filter((control) => control.closest('[popover]') === popover)
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  // A menu inside this one has moved the focus already.
  if (step === undefined || event.defaultPrevented || (event.target as Element).matches('input, textarea'))
    return
  const controls = controlsOf(event.currentTarget)
  const index = controls.indexOf(document.activeElement as HTMLElement)
  const next = controls[index === -1 ? 0 : (index + step + controls.length) % controls.length]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The items of a menu, one below the other. */
export function MenuItems({ children }: { children: ReactNode }) {
  return <div className={styles.items}>{children}</div>
}

interface MenuItemProps extends ComponentProps<'button'> {
  icon?: IconType | undefined
  shortcut?: string | undefined
  /** Quiet text at the end: a count, or the current value. */
  detail?: ReactNode
  /** For items that are options: whether this one is chosen. */
  isChosen?: boolean | undefined
}

export function MenuItem({ icon, shortcut, detail, isChosen, children, className, ...rest }: MenuItemProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[styles.item, className].filter(Boolean).join(' ')}
      aria-pressed={isChosen}
      aria-keyshortcuts={shortcut}
    >
      {icon && <Icon icon={icon} />}
      {children}
      {detail !== undefined && <span className="quiet">{detail}</span>}
      {isChosen && <Icon icon={Check} size={14} />}
      {shortcut && <Keys keys={[shortcut]} />}
    </button>
  )
}

/** The class of links in a menu. */
export const menuItemClass = styles.item

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className={styles.heading}>{children}</div>
}

export function MenuSeparator() {
  return <hr className={styles.separator} />
}

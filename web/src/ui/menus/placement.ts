// Positions a popover below or above an element, inside the window. The security policy allows styles set by script.
const MARGIN = 8
const DISTANCE = 4

export function placeNextTo(popover: HTMLElement, anchor: Element, align: 'start' | 'end' = 'start'): void {
  popover.style.maxHeight = ''
  const { left, right, bottom, top } = anchor.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const below = bottom + DISTANCE
  const fitsBelow = below + height + MARGIN <= innerHeight
  const fitsAbove = top - height - DISTANCE >= MARGIN
  const isBelow = fitsBelow || (!fitsAbove && innerHeight - bottom > top)
  const y = isBelow ? below : Math.max(MARGIN, top - height - DISTANCE)
  const x = align === 'end' ? right - width : left
  popover.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`
  popover.style.top = `${y}px`
  popover.style.maxHeight = `${innerHeight - y - MARGIN}px`
  popover.style.overflow = 'auto'
}

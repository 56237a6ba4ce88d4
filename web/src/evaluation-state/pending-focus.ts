// Passes the row or note to focus to the next component that mounts. It is not in the URL, so a reload does not repeat it.
type FocusTarget = 'row' | 'note'

const pending = new Map<FocusTarget, string>()

export function setPendingFocus(target: FocusTarget, scenario: string): void {
  pending.set(target, scenario)
}

export function takePendingFocus(target: FocusTarget): string | undefined {
  const scenario = pending.get(target)
  pending.delete(target)
  return scenario
}

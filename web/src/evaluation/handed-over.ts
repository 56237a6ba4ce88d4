// What one part leaves for the next that opens: the row that was looked at, the row whose note is to be written. It is not
// in the address, because a reload shall not do it again.
const left = new Map<'row' | 'note', string>()

export function handOver(what: 'row' | 'note', scenario: string): void {
  left.set(what, scenario)
}

export function takeOver(what: 'row' | 'note'): string | undefined {
  const scenario = left.get(what)
  left.delete(what)
  return scenario
}

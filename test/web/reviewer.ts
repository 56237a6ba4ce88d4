// What tests of the page of a reviewer wait for.
import type { Page } from 'playwright-core'

/**
 * The id of the open row, once it is another one than `previous`, or `expected`. Undefined at the end of the review. While
 * others have the last rows open, looks again.
 */
export async function openRow(page: Page, previous?: string, expected?: string): Promise<string | undefined> {
  const state = await page.waitForFunction(
    ([previous, expected]) => {
      const text = document.querySelector('main')?.textContent ?? ''
      if (text.includes('You have answered all rows')) return { isDone: true }
      const again = text.includes('open at other reviewers')
      if (again) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
      const section = document.querySelector('section[aria-label=Row]:not([aria-busy=true])')
      const id = section?.querySelector('h2 + code')?.textContent
      if (!id || id === previous || (expected !== undefined && id !== expected)) return null
      const isEnabled = document.querySelector('button[type=submit]:enabled')
      return isEnabled ? { id } : null
    },
    [previous, expected] as const,
  )
  const { id } = (await state.jsonValue()) as { id?: string }
  return id
}

// A real Chromium for tests of what runs in one: the first that is installed on this machine.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const EXECUTABLE = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file))

/** Why a test is skipped that needs one. */
export const NO_BROWSER = EXECUTABLE === undefined && 'no Chromium is installed'

/** Ends with the test file. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE ?? chromium.executablePath() })
  after(() => browser.close())
  return browser
}

// The Chromium of this machine, for tests and benchmarks of the page.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The first opens a page in a third of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable)

/** Why the page cannot be looked at, where it cannot. */
export const WITHOUT_BROWSER =
  executablePath === undefined &&
  'there is no Chromium on the PATH: install it, on Debian with apt-get install chromium'

export function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(String(WITHOUT_BROWSER))
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Starts the Chromium of this machine for tests and benchmarks of the web page.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser, BrowserServer } from 'playwright-core'

/** In order of preference: the headless shell opens a page three times as fast. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable)

/** The reason to skip browser tests, or false if Chromium is installed. */
export const WITHOUT_BROWSER =
  executablePath === undefined && 'Chromium is not on the PATH (Debian: apt-get install chromium)'

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage']

/** Tests that are skipped would load it for nothing. */
async function loadPlaywright() {
  return (await import('playwright-core')).chromium
}

export async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(String(WITHOUT_BROWSER))
  return (await loadPlaywright()).launch({ executablePath, args: ARGS })
}

/** Starts a browser for the tests of several processes, which use it with `connect`. */
export async function launchTestServer(): Promise<BrowserServer> {
  if (executablePath === undefined) throw new Error(String(WITHOUT_BROWSER))
  return (await loadPlaywright()).launchServer({ executablePath, args: ARGS })
}

export async function connect(url: string): Promise<Browser> {
  return (await loadPlaywright()).connect(url)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// The environment for npm commands that run as another user, in another folder.
import { execFileSync } from 'node:child_process'

/** Without the settings of the npm that runs this script, such as its cache folder. Only the registry stays the same. */
export function npmEnvironment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    npm_config_registry: execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim(),
    npm_config_update_notifier: 'false',
  }
}

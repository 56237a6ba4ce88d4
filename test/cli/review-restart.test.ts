// Two reviewers answer at the same time over HTTP while the service is killed and started again.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, spawnServer } from '../support/harness.ts'

const ROWS = 35

/** A port that nothing listens on, so that the service can be started on it again. */
async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}

test('each answer is stored once and belongs to its reviewer, although the service is killed in between', async (t) => {
  const { flags } = await createStoreLocation()
  const { stdout } = await runAssay(['keys', 'create', '--scope', 'read,write', ...flags])
  const port = await findFreePort()
  const start = () => spawnServer([...flags, '--port', port])
  let service = await start()
  t.after(() => service.child.kill('SIGKILL'))
  const baseUrl = `${service.baseUrl}/api`
  const owner = new Assay({ key: stdout.trim(), baseUrl })
  await owner.appendScenarios(
    'run',
    Array.from({ length: ROWS }, (_, row) => ({ id: `row-${row}` })),
  )
  const question = { evaluator: 'human_verdict', type: 'verdict' } as const
  await owner.createReview('run', { id: 'october', questions: [question], overlap: 1 })
  const sent = new Map<string, boolean>()
  let answered = 0
  let restarted: Promise<void> | undefined

  async function restart(): Promise<void> {
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
    service = await start()
  }

  async function review(name: string): Promise<void> {
    const { key } = await owner.createShare({ confined_to: { review_id: 'october' }, name })
    const reviewer = new Assay({ key, baseUrl, retries: 20 })
    for (;;) {
      const { row } = await reviewer.getNextReviewRow('october')
      if (!row) return
      const { id } = row.scenario
      assert.ok(!sent.has(`${name} ${id}`), `${name} gets ${id} twice`)
      const value = (name.length + id.length) % 2 === 0
      sent.set(`${name} ${id}`, value)
      const answers = [{ evaluator: 'human_verdict', value }]
      const stored = reviewer.putReviewAnswers('october', id, { answers })
      answered += 1
      if (answered === ROWS) restarted = restart()
      await stored
    }
  }
  await Promise.all([review('Ana'), review('Mira')])
  assert.ok(restarted)
  await restarted

  const rows = await owner.listReviewRows('october')
  const found = rows.flatMap(({ scenario_id, answers }) =>
    answers.map(({ by, value }) => [`${by} ${scenario_id}`, value] as const),
  )
  assert.equal(found.length, 2 * ROWS)
  assert.deepEqual(new Map(found), sent)
  const scenarios = await owner.listEvaluationScenarios('run', { include: 'extra' })
  for (const { extra, results } of scenarios) {
    assert.equal((extra?.answers as unknown[] | undefined)?.length, 2)
    // The names have lengths of different parity, so both verdicts differ.
    assert.deepEqual(results, [])
  }
  const { progress } = await owner.getReview('october')
  assert.deepEqual(progress, { rows: ROWS, answered: ROWS, complete: ROWS, disputed: ROWS })
  assert.equal((await runAssay(['check', ...flags])).code, 0)
})

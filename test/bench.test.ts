// The floors that `npm run bench` compares its measurements with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCode, FLOORS, type FloorName, formatTable, judge, UNMEASURED } from '../bench/floors.ts'

const names = Object.keys(FLOORS) as FloorName[]

test('every goal is at least as good as its floor', () => {
  for (const [name, { floor, goal, better }] of Object.entries(FLOORS))
    assert.ok(better === 'higher' ? goal >= floor : goal <= floor, name)
})

test('judges the median by the floor and the goal', () => {
  for (const name of names) {
    const { floor, goal, better } = FLOORS[name]
    const worse = (value: number) => (better === 'higher' ? value * 0.999 : value * 1.001)
    assert.equal(judge(name, [goal]), 'goal met')
    assert.equal(judge(name, [worse(goal)]), 'met')
    assert.equal(judge(name, [floor]), 'met')
    assert.equal(judge(name, [worse(floor)]), 'MISSED')
    assert.equal(judge(name, []), 'MISSED')
  }
  assert.equal(judge('not-modified', [0.1, 0.9, 0.76, 0.2, 0.8]), 'goal met')
  assert.equal(judge('memory', [500, 80, 95, 100, 81]), 'met')
})

test('the exit code is 1 if one floor is missed', () => {
  const measurements = Object.fromEntries(names.map((name) => [name, [FLOORS[name].floor]]))
  assert.equal(exitCode(measurements), 0)
  assert.equal(exitCode({ ...UNMEASURED, ...measurements }), 0)
  for (const name of names) {
    const { floor, better } = FLOORS[name]
    const missed = better === 'higher' ? floor - 0.001 : floor + 0.001
    assert.equal(exitCode({ ...measurements, [name]: [missed] }), 1, name)
  }
})

test('the exit code is 1 if all benchmarks ran and one floor was not measured', () => {
  for (const name of names) {
    const { [name]: _, ...others } = Object.fromEntries(names.map((each) => [each, [FLOORS[each].goal]]))
    assert.equal(exitCode({ ...UNMEASURED, ...others }), 1, name)
  }
})

test('the table has one row per measured floor, with its rounds', () => {
  assert.deepEqual(formatTable({ 'not-modified': [0.4, 0.6123, 0.2], start: [0.3] }), [
    '| question | median | floor | goal | verdict | rounds |',
    '|---|---|---|---|---|---|',
    '| 304, compared with bare Node | 0.400 | 0.5 | 0.75 | **MISSED** | 0.400, 0.612, 0.200 |',
    '| start of the process until `/readyz` returns 200 | 0.300 s | 0.7 s | 0.4 s | goal met | 0.300 |',
  ])
})

// The normal distribution, compared with published values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalQuantile, normalTail } from '../../../src/store/statistics/normal-distribution.ts'

test('returns published quantiles and tails', () => {
  // scipy.stats.norm.isf and norm.sf.
  for (const [confidence, z] of [
    [0, 0],
    [0.5, 0.6744897501960817],
    [0.6, 0.8416212335729143],
    [0.95, 1.959963984540054],
    [0.99, 2.5758293035489004],
    [1 - 0.05 / 201, 3.663537046245994],
    [0.999999999, 6.10941020938345],
  ] as const)
    assert.ok(Math.abs(normalQuantile(confidence) - z) <= 1e-13 * z, `${confidence}`)
  for (const [z, tail] of [
    [0, 0.5],
    [-1, 0.8413447460685429],
    [1, 0.15865525393145707],
    [3, 0.0013498980316300957],
    [8, 6.22096057427174e-16],
  ] as const)
    assert.ok(Math.abs(normalTail(z) / tail - 1) < 1e-12, `${z}: ${normalTail(z)}`)
})

test('the series and the fraction meet', () => {
  for (let z = 2.9; z < 3.1; z += 0.001) {
    const slope = (normalTail(z) - normalTail(z + 1e-6)) / 1e-6
    const density = Math.exp((-(z + 5e-7) * (z + 5e-7)) / 2) / Math.sqrt(2 * Math.PI)
    assert.ok(Math.abs(slope / density - 1) < 1e-6, `${z}`)
  }
})

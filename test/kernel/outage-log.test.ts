import assert from 'node:assert/strict'
import { startTestKernel } from '../support/kernel.ts'
import { probePlugin } from '../support/probe.ts'
import { recordingLog } from '../support/recording-log.ts'
import { until } from '../support/until.ts'

describe('work that is done again and again', () => {
  it('tells when it begins to fail and when that is over, and nothing in between', async () => {
    const { log, lines } = recordingLog()
    let runs = 0
    const failing = probePlugin('failing', (scope) => {
      scope.every(1, () => {
        runs += 1
        if (runs <= 20 || runs === 31) throw new Error('away')
      })
    })
    const host = await startTestKernel({ plugins: [failing], log })
    await until(() => runs >= 40)
    await host[Symbol.asyncDispose]()
    assert.deepEqual(
      lines.filter((line) => line.includes('repeated work failed')),
      ['error: repeated work failed', 'info: over: repeated work failed', 'error: repeated work failed'],
    )
  })
})

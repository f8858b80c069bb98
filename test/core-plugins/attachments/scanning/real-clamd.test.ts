import assert from 'node:assert/strict'
import { describe } from 'mocha'
import { bytesAt, textOf, uploaded } from '../../../support/attachments.ts'
import { virus } from '../../../support/clamd.ts'
import { dataOf, startPlatform } from '../../../support/platform.ts'
import { itOnClamd, startRealClamd } from '../../../support/real-clamd.ts'
import { until } from '../../../support/until.ts'

/** A scanner that hangs up on what is too large may be heard too late on a busy machine, and is asked again after half a minute. */
const patienceMs = 150_000

describe('a file with the virus scanner of the distribution', function () {
  this.timeout(2 * patienceMs)

  itOnClamd('is ready where it is clean, and quarantined where it is infected or too large for it', async () => {
    await using clamd = await startRealClamd()
    const address = `127.0.0.1:${clamd.port}`
    await using platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: address } })
    const { admin } = platform
    const settings = { attachment_scan_mode: 'clamd', attachment_scan_address: address }
    dataOf(await admin.put('/configs/groups/platform_attachment_scan', settings))

    const files = {
      ready: Buffer.from('nothing of it is bad'),
      infected: Buffer.from(`here is ${virus}, as it is`),
      large: Buffer.alloc(3_000_000, 'longer than it takes '),
    }
    const ends: Record<string, string> = {}
    for (const [name, content] of Object.entries(files)) {
      const { id, status } = await uploaded(admin, `${name}.txt`, content)
      assert.equal(status, 'pending')
      const ofRecord = `/attachments/${textOf(id)}`
      const isSettled = async () => (ends[name] = textOf(dataOf(await admin.get(ofRecord))['status'])) !== 'pending'
      await until(isSettled, patienceMs)
      if (name === 'ready') assert.deepEqual(await bytesAt(admin, `${ofRecord}/download`), content)
      else assert.equal((await admin.get(`${ofRecord}/download`)).body['reason'], 'attachment_quarantined')
    }
    assert.deepEqual(ends, { ready: 'ready', infected: 'quarantined', large: 'quarantined' })
  })
})

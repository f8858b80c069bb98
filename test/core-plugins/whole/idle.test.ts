import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPlatform } from '../../support/platform.ts'

/** Many hosts may stand on one database, and most of the time they have nothing to do. */
const mostStatements = 7
const seconds = 10
/** How many of them may be quieter still. */
const quiet = 2

describe('a platform with nothing to do', () => {
  it(`sends its database at most ${mostStatements} statements in a quiet second`, async () => {
    await using statements = countStatements()
    await using platform = await startPlatform()
    const rates: number[] = []
    for (const second of Array.from({ length: seconds }).keys()) {
      const before = statements.sent
      await pause(1_000)
      rates[second] = statements.sent - before
    }
    // Of the quieter seconds: in others there is something to do, as soon after a start or at the beginning of a minute.
    const usual = rates.sort((one, other) => one - other)[quiet] ?? 0
    assert.ok(usual >= 1 && usual <= mostStatements, `${rates.join(', ')} statements a second of ${platform.host.url}`)
  })
})

function countStatements(): { readonly sent: number } & AsyncDisposable {
  const prototype = pg.Client.prototype as { query: (this: unknown, ...parameters: unknown[]) => unknown }
  const send = prototype.query
  let sent = 0
  prototype.query = function (...parameters) {
    sent++
    return send.apply(this, parameters)
  }
  return {
    get sent() {
      return sent
    },
    [Symbol.asyncDispose]() {
      prototype.query = send
      return Promise.resolve()
    },
  }
}

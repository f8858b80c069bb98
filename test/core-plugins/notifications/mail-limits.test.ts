import assert from 'node:assert/strict'
import { MailWay } from '../../../core-plugins/notifications/channels/mail-way.ts'

const user = { tenantId: 5, id: 7, email: 'mina@acme.test' }
const [ofUser, ofPlugin] = ['notifications.mail:5:7', 'notifications.mail:5:plugin.acme.live']

/** What becomes of a notification by e-mail, and what was counted, where one count is used up. */
async function chosen(full: string | undefined, source: string): Promise<unknown> {
  const counted: unknown[] = []
  const limiter = {
    hit(...count: readonly unknown[]) {
      counted.push(count)
      return Promise.resolve({ allowed: count[0] !== full })
    },
  }
  const way = new MailWay({ limiter } as never)
  return [await way.choose({ email: 'now' } as never, user as never, source), counted]
}

describe('the number of e-mails of notifications', () => {
  it('is bounded for a user, and of what a plugin says for the tenant too', async () => {
    const [own, all] = [
      [ofUser, 20, 3_600],
      [ofPlugin, 200, 3_600],
    ]
    assert.deepEqual(
      [
        await chosen(undefined, 'system'),
        await chosen(undefined, 'plugin.acme.live'),
        await chosen(ofUser, 'plugin.acme.live'),
        await chosen(ofPlugin, 'plugin.acme.live'),
      ],
      [
        ['now', [own]],
        ['now', [own, all]],
        ['none', [own]],
        ['none', [own, all]],
      ],
    )
  })
})

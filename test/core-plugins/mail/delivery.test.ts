// @both-back-ends
import assert from 'node:assert/strict'
import { smtpError, startSmtpServer, type SmtpServer } from '../../support/smtp-server.ts'
import { until } from '../../support/until.ts'
import { codeTo, queuedMessages, startMailWorld, type MailWorld } from './world.ts'

describe('a message', () => {
  let server: SmtpServer
  let world: MailWorld

  before(async () => {
    server = await startSmtpServer({ login: { user: 'stoa', password: 'let me in' } })
    world = await startMailWorld(server)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.onMail = () => undefined
    server.onRecipient = () => undefined
  })

  const isOutboxEmpty = async (): Promise<boolean> => (await world.outbox()).length === 0

  it('reaches its reader through the SMTP server at once, and nothing of it is kept', async () => {
    await world.sender.send(codeTo('mina@example.test', { values: { code: '904113', minutes: 5, nickname: 'Mina' } }))
    const mail = await server.mailTo('mina@example.test')
    assert.deepEqual(
      [mail.from, mail.to, mail.user, mail.headers.get('from'), mail.headers.get('to'), mail.headers.get('subject')],
      [
        'stoa@stoa.test',
        ['mina@example.test'],
        'stoa',
        'AI Platform <stoa@stoa.test>',
        'mina@example.test',
        'Your sign-in code for AI Platform',
      ],
    )
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.match(mail.headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@stoa\.test>$/)
    assert.match(
      mail.text,
      /^Hello Mina,\n\nThis is your code to sign in to AI Platform:\n\n904113\n\nIt is valid for 5 min/,
    )
    assert.match(mail.html, />904113</)
    await until(isOutboxEmpty)
  })

  it('waits sealed: neither its reader nor its code can be read in the database', async () => {
    server.onMail = () => Promise.reject(smtpError(451, 'Later'))
    await world.sender.send(codeTo('sealed@example.test', { values: { code: '775599', minutes: 5 } }))
    await until(async () => (await world.outbox())[0]?.error != null)
    const [row] = await world.outbox()
    assert.equal(/sealed|775599|login_code/.test(JSON.stringify(row)), false)
    assert.equal(row?.state, 'queued')
    server.onMail = () => undefined
    await world.passTime()
    await until(isOutboxEmpty)
  })

  it('is tried again when the server fails, with the same id, and later each time', async () => {
    const ids: (string | undefined)[] = []
    server.onMail = ({ headers }) => {
      ids.push(headers.get('message-id'))
      if (ids.length < 3) throw smtpError(451, 'Try again later')
    }
    await world.sender.send(codeTo('again@example.test'))
    const waits: number[] = []
    for (const attempts of [1, 2]) {
      await until(async () => (await world.outbox())[0]?.attempts === attempts && (await seconds()) > 1)
      waits.push(Math.round((await seconds()) / 5) * 5)
      await world.passTime()
    }
    await server.mailTo('again@example.test')
    await until(isOutboxEmpty)
    assert.deepEqual([new Set(ids).size, ids.length, waits], [1, 3, [5, 60]])
  })

  it('is given up after five attempts, which the log tells without its reader’s address', async () => {
    server.onMail = () => Promise.reject(smtpError(451, 'Never'))
    await world.sender.send(codeTo('never@example.test'))
    for (const attempts of [1, 2, 3, 4, 5]) {
      await until(async () => {
        const [row] = await world.outbox()
        return row?.attempts === attempts && (row.state === 'failed' || (await seconds()) > 1)
      })
      if (attempts < 5) await world.passTime()
    }
    const line = world.lines.findLast(({ message }) => message === 'a message was given up')
    assert.deepEqual([line?.level, line?.fields['to'], line?.fields['attempts']], ['error', 'n***@example.test', 5])
    assert.equal(JSON.stringify(world.lines).includes('never@'), false)
    await forgetFailed()
  })

  it('is given up at once when the server refuses its reader for good', async () => {
    server.onRecipient = (address) => {
      if (address.startsWith('nobody')) throw smtpError(550, `No such user ${address}`)
    }
    await world.sender.send(codeTo('nobody@example.test'))
    await until(async () => (await world.outbox())[0]?.state === 'failed')
    const [row] = await world.outbox()
    assert.equal(row?.attempts, 1)
    assert.match(row.error ?? '', /550 No such user n\*\*\*@example\.test/)
    await forgetFailed()
  })

  for (const [unit, milliseconds] of Object.entries({ minutes: 60_000, hours: 3_600_000, days: 86_400_000 })) {
    it(`whose code has expired meanwhile, as its ${unit} say, is not sent any more`, async () => {
      const to = `late.${unit}@example.test`
      server.onMail = () => Promise.reject(smtpError(451, 'Later'))
      await world.sender.send(codeTo(to, { values: { code: '123456', [unit]: 5 } }))
      await until(async () => (await world.outbox())[0]?.error != null)
      server.onMail = () => undefined
      await table().update({ created_at: new Date(Date.now() - 5 * milliseconds - 1) })
      await world.passTime()
      await until(async () => (await world.outbox())[0]?.state === 'failed')
      assert.equal(
        server.mails.some((mail) => mail.to.includes(to)),
        false,
      )
      await forgetFailed()
    })
  }

  it('of a caller’s transaction leaves when that commits, and never when it does not', async () => {
    const db = world.host.kernel.database.knex
    const undone = db.transaction(async (trx) => {
      await world.sender.send(codeTo('undone@example.test'), trx)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    await db.transaction(async (trx) => {
      await world.sender.send(codeTo('done@example.test'), trx)
      assert.equal(await isOutboxEmpty(), true)
    })
    await server.mailTo('done@example.test')
    assert.equal(
      server.mails.some(({ to }) => to.includes('undone@example.test')),
      false,
    )
  })

  it('to nobody looks the same to its sender and reaches no one', async () => {
    const before = server.attempts
    await world.sender.send(codeTo('', { nobody: true }))
    await world.sender.send(codeTo('somebody@example.test'))
    await server.mailTo('somebody@example.test')
    await until(isOutboxEmpty)
    assert.equal(server.attempts, before + 1)
  })

  it('goes through the new server as soon as the configuration names another', async () => {
    await using other = await startSmtpServer()
    await world.configure('platform_mail', {
      ...other.settings,
      smtp_user: '',
      smtp_password: '',
      mail_from: 'other@stoa.test',
    })
    await world.sender.send(codeTo('moved@example.test'))
    const mail = await other.mailTo('moved@example.test')
    assert.equal(mail.from, 'other@stoa.test')
    await world.configure('platform_mail', server.settings)
  })

  const table = () => queuedMessages(world.host)

  /** Seconds until the first row is tried again. */
  async function seconds(): Promise<number> {
    const [row] = await table().where({ state: 'delayed' }).select<{ run_at: Date }[]>('run_at')
    return row ? (row.run_at.getTime() - Date.now()) / 1000 : 0
  }

  async function forgetFailed(): Promise<void> {
    await table().where('state', 'dead').delete()
  }
})

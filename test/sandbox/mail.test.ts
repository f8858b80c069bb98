import { deepEqual, equal } from 'node:assert/strict'
import { channelPreferences } from '../../core-plugins/notifications/channels/preferences.ts'
import { AppError, MemoryRateLimiter } from '#kernel'
import { diffManifests } from '../../sandbox/manifest/diff-manifests.ts'
import { createMailCapability, type MailServices } from '../../sandbox/broker/mail.ts'
import { grantEverything } from '../../sandbox/sdk/testing/grant-everything.ts'
import type { Release } from '../../sandbox/services.ts'
import { GuestCalls, type TestCall } from './capabilities-call.ts'
import { asking, faultsOf, parse, text } from './manifest-samples.ts'

type Mail = Parameters<MailServices['mail']>[0]

const due = {
  name: 'invoice_due',
  subject: { default: 'Invoice {{number}} is due', 'zh-CN': '发票 {{number}} 到期' },
  body: { default: 'Hello,\n\n{{who}} owes\n{{amount}}.\n\nBye', 'zh-CN': '{{who}} 应付 {{amount}}' },
  values: ['number', 'who', 'amount'],
}
const withMail = (changes: object = {}, more: object = {}) =>
  asking('mail', { mail: { templates: [{ ...due, ...changes }], ...more } })

describe('the templates of a manifest', () => {
  it('are taken with all they say', () => {
    deepEqual(parse(withMail({}, { perDay: 900 })).mail, { templates: [due], perDay: 900 })
  })

  const refused: Readonly<Record<string, readonly [changes: object, ...faults: string[]]>> = {
    'a placeholder that is not declared': [
      { subject: { default: '{{nobody}} {{number}}', 'zh-CN': '到期' } },
      'subject.default declared',
    ],
    'a placeholder of another form': [
      { body: { default: '{{who}} {{amount}} {{ number }}', 'zh-CN': '付' } },
      'body.default placeholder',
    ],
    'a value that no text has': [{ values: [...due.values, 'extra'] }, 'values.3 unused'],
    'a language in one part alone': [{ subject: { default: '{{number}}' } }, 'subject.zh-CN required'],
    'a subject of two lines': [{ subject: { default: '{{number}}\nBcc: a', 'zh-CN': '到' } }, 'subject.default line'],
    markup: [{ body: { default: '{{who}} {{amount}} <b>x</b>', 'zh-CN': '付' } }, 'body.default markup'],
    'an entity': [{ body: { default: '{{who}} {{amount}} &nbsp;', 'zh-CN': '付' } }, 'body.default markup'],
    'an address of the web': [
      { body: { default: '{{who}} {{amount}} https://evil.test/x', 'zh-CN': '付' } },
      'body.default link',
    ],
    'a bare host': [{ body: { default: '{{who}} {{amount}} evil.test', 'zh-CN': '付' } }, 'body.default link'],
    'too many paragraphs': [
      { body: { default: `{{who}} {{amount}}${'\n\nx'.repeat(20)}`, 'zh-CN': '付' } },
      'body.default size',
    ],
    'a body that is too long': [
      { body: { default: `{{who}} {{amount}} ${'x'.repeat(5_000)}`, 'zh-CN': '付' } },
      'body.default maxLength',
    ],
  }
  for (const [name, [changes, ...faults]] of Object.entries(refused)) {
    it(`are refused with ${name}`, () => {
      deepEqual(
        faultsOf(text(withMail(changes))),
        faults.map((fault) => `mail.templates.0.${fault}`),
      )
    })
  }

  it('stand with their capability alone, each under a name of its own, within a quota', () => {
    deepEqual(faultsOf(text({ mail: { templates: [due] } })), ['mail capability'])
    deepEqual(faultsOf(text(asking('mail'))), ['mail required'])
    deepEqual(faultsOf(text(asking('mail', { mail: { templates: [due, due] } }))), ['mail.templates.1.name unique'])
    deepEqual(faultsOf(text(withMail({}, { perDay: 10_001 }))), ['mail.perDay maximum'])
  })

  it('have a name that users can switch off, whatever the plugin is called', () => {
    const key = (name: string): string => `plugin.${'a'.repeat(31)}.${'b'.repeat(32)}.${name}`
    const [longest, longer] = [56, 57].map((length) => 'n'.repeat(length)) as [string, string]
    equal(parse(withMail({ name: longest })).mail?.templates[0]?.name, longest)
    equal(faultsOf(text(withMail({ name: longer })))[0], 'mail.templates.0.name maxLength')
    const declared = channelPreferences.find(({ key }) => key === 'notification_muted')?.schema
    const { pattern } = (declared as unknown as { items: { pattern: string } }).items
    deepEqual(
      [longest, longer].map((name) => new RegExp(pattern).test(key(name))),
      [true, false],
    )
  })

  it('ask again for a larger quota alone', () => {
    const [few, many] = [parse(withMail({}, { perDay: 100 })), parse(withMail({}, { perDay: 501 }))]
    deepEqual(
      [diffManifests(few, many), diffManifests(parse(withMail()), many), diffManifests(many, few)].map(
        ({ change, added }) => [change, added.map(({ detail }) => detail)],
      ),
      [
        ['wider', ['mail.perDay 501']],
        ['wider', ['mail.perDay 501']],
        ['narrower', []],
      ],
    )
  })
})

describe('the e-mails of a guest', () => {
  const mails: Mail[] = []
  beforeEach(() => void (mails.length = 0))

  function calls(call: TestCall = {}, perDay?: number): GuestCalls {
    const { mail } = parse(withMail({}, perDay === undefined ? {} : { perDay }))
    const write = (sent: Mail): Promise<void> => {
      if (sent.to === 404) throw new AppError(4040, 'notification_recipient', 'There is no such user')
      return Promise.resolve(void mails.push(sent))
    }
    const slots = [{ slot: 'page', id: 'bills', entry: 'ui/page.html' } as const]
    const manifest = { name: 'acme.notes', slots, ...(mail && { mail }) }
    return new GuestCalls(createMailCapability(manifest, new MemoryRateLimiter(), write), call)
  }
  const values = { number: 7, who: 'Ann', amount: '3.50' }
  const send = (guest: GuestCalls, more: object = {}): Promise<unknown> =>
    guest.ask('mail.send', { template: 'invoice_due', to: 5, values, ...more })

  it('are filled in for every language, with paragraphs that no value can make', async () => {
    equal(
      await send(calls({ tenantId: 3 }), { values: { ...values, who: 'A\r\n\r\n{{amount}}' }, link: '/bills?id=7' }),
      null,
    )
    deepEqual(mails, [
      {
        ...{
          plugin: 'acme.notes',
          template: 'invoice_due',
          tenantId: 3,
          to: 5,
          link: '/plugins/acme.notes/bills?id=7',
        },
        subject: { default: 'Invoice 7 is due', 'zh-CN': '发票 7 到期' },
        body: { default: ['Hello,', 'A {{amount}} owes 3.50.', 'Bye'], 'zh-CN': ['A {{amount}} 应付 3.50'] },
      },
    ])
  })

  it('go to users by their id or to the owner, and to no address', async () => {
    const guest = calls()
    equal(await send(guest, { to: 'owner' }), null)
    const others = ['ann@example.test', ['ann@example.test'], { email: 'ann@example.test' }, '5', 0, 1.5, null]
    const answers: unknown[] = []
    for (const to of others) answers.push(await send(guest, { to }))
    deepEqual(answers, Array(others.length).fill('bad_request argument_invalid'))
    equal(await send(guest, { to: 404 }), 'not_found notification_recipient')
    deepEqual(
      mails.map(({ to }) => to),
      ['owner'],
    )
  })

  it('have each value of their template and no other', async () => {
    const wrong = [
      { template: 'other' },
      { values: { number: 7, who: 'Ann' } },
      { values: { ...values, extra: 1 } },
      { values: { ...values, who: { name: 'Ann' } } },
      { values: { ...values, who: null } },
      { values: undefined },
    ]
    for (const more of wrong) equal(await send(calls(), more), 'bad_request argument_invalid', JSON.stringify(more))
    equal(await send(calls(), { values: { ...values, who: 'x'.repeat(201) } }), 'invalid mail_value_too_long')
    deepEqual(mails, [])
  })

  it('lead to a page of the plugin’s own, and to nowhere else', async () => {
    const elsewhere = ['https://evil.test', '//evil.test', '/other', '/', 'bills', '/bills/../other', '/bills?a b']
    elsewhere.push('/bills#<script>', '/bills?a\\b', '/bills?\n', '/bills/more', `/bills?${'x'.repeat(500)}`)
    const answers: unknown[] = []
    for (const link of elsewhere) answers.push(await send(calls(), { link }))
    deepEqual(answers, Array(elsewhere.length).fill('invalid link_not_own'))
    for (const link of ['/bills', '/bills?id=7&a=%20', '/bills#top']) equal(await send(calls(), { link }), null)
    deepEqual(
      mails.map(({ link }) => link),
      ['', '?id=7&a=%20', '#top'].map((rest) => `/plugins/acme.notes/bills${rest}`),
    )
  })

  it('are refused where one value, named over and over, makes them long', async () => {
    const body = { default: '{{who}}'.repeat(140), 'zh-CN': '{{who}}' }
    const { mail } = parse(withMail({ subject: { default: 'Bill', 'zh-CN': '账单' }, body, values: ['who'] }))
    const write = (sent: Mail): Promise<void> => Promise.resolve(void mails.push(sent))
    const manifest = { name: 'acme.notes', ...(mail && { mail }) }
    const guest = new GuestCalls(createMailCapability(manifest, new MemoryRateLimiter(), write))
    equal(await send(guest, { values: { who: 'x'.repeat(200) } }), 'invalid mail_too_long')
    equal(await send(guest, { values: { who: 'x'.repeat(100) } }), null)
  })

  it('have the day’s quota that was consented to, also above the usual one', () => {
    const manifest = parse(withMail({}, { perDay: 900 }))
    equal(grantEverything({ manifest } as Release, {}).limits.mailsPerDay, 900)
  })

  it('end at the smaller of what the manifest and the platform say', async () => {
    for (const guest of [calls({ limits: { mailsPerDay: 1 } }), calls({}, 1)])
      deepEqual([await send(guest), await send(guest)], [null, 'rate_limited mail_quota'])
  })
})

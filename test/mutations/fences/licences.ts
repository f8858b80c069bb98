import type { Fence } from '../mutation.ts'

const licences = 'test/marketplace/licence-token.test.ts'
const activation = 'test/core-plugins/plugin-licences/activation.test.ts'

/** What is paid for is used by who paid, for as long as that is, and a trial is had once. */
export const licenceTokens: Fence = {
  name: 'licences',
  mutations: [
    {
      name: 'licence-unverified',
      file: 'marketplace/licence/token.ts',
      before:
        "if (!verify(null, Buffer.concat([domain, payload]), key, sig)) throw refused('signature', 'it does not verify')\n",
      after: 'void [verify, domain, key]\n',
      tests: [licences],
      why: 'Everybody writes licences.',
    },
    {
      name: 'licence-in-any-spelling',
      file: 'marketplace/licence/token.ts',
      before: "return bytes.toString('base64url') === text ? bytes : undefined",
      after: 'return bytes',
      tests: [licences],
      why: 'A revoked token comes back in another spelling.',
    },
    {
      name: 'licence-of-another-site',
      file: 'core-plugins/plugin-licences/admit-token.ts',
      before: "if (licence.host !== '*' && licence.host !== host) return",
      after: "if (licence.host === '' && licence.host !== host) return",
      tests: [activation],
      why: 'One licence is used on every site.',
    },
    {
      name: 'licence-that-is-over',
      file: 'core-plugins/plugin-licences/admit-token.ts',
      before: 'graceUntil.getTime() <= now)',
      after: 'graceUntil.getTime() <= 0 * now)',
      tests: [activation],
      why: 'An old licence is activated again.',
    },
    {
      name: 'licence-by-a-key-of-nobody',
      file: 'core-plugins/plugin-licences/admit-token.ts',
      before: 'if (!licensing?.keys?.includes(kid)) return undefined\n',
      after: '',
      tests: [activation],
      why: 'Every key of a publisher signs licences, those of former employees too.',
    },
    {
      name: 'licence-of-another-plugin',
      file: 'core-plugins/plugin-licences/admit-token.ts',
      before: 'if (licence.plugin !== manifest.name) return',
      after: "if (licence.plugin === '') return",
      tests: [activation],
      why: 'The cheap plugin’s licence opens the dear one.',
    },
    {
      name: 'licence-grace-without-end',
      file: 'core-plugins/plugin-licences/books/licence-book.ts',
      before: "return now < graceUntil ? ('grace' as const) : ('expired' as const)",
      after: "return now < graceUntil ? ('grace' as const) : ('grace' as const)",
      tests: ['test/core-plugins/plugin-licences/licences.test.ts'],
      why: 'A licence that ended goes on.',
    },
    {
      name: 'licence-expired-writes',
      file: 'core-plugins/plugin-licences/books/licence-book.ts',
      before: "(use === 'read' && state !== 'none')",
      after: "state !== 'none'",
      tests: ['test/core-plugins/plugin-licences/licences.test.ts'],
      why: 'Without a licence a plugin writes on.',
    },
    {
      name: 'licence-of-the-other-tenant',
      file: 'core-plugins/plugin-licences/books/licence-book.ts',
      before: '!tenant.allBut.has(tenantId)',
      after: 'tenant.allBut.size >= 0',
      tests: ['test/core-plugins/plugin-licences/licences.test.ts'],
      why: 'A tenant whose licence was revoked keeps the site’s.',
    },
    {
      name: 'trial-again',
      file: 'core-plugins/plugin-licences/trials.ts',
      before: 'if (made.length === 0) throw new TrialUsedError()\n',
      after: '',
      tests: ['test/core-plugins/plugin-licences/trials.test.ts'],
      why: 'A trial begins again and again.',
    },
  ],
}

import type { Fence } from '../mutation.ts'

const delivery = 'test/core-plugins/mail/delivery.test.ts'
const injection = 'test/core-plugins/mail/injection.test.ts'
const way = 'test/core-plugins/attack/rights-delivery.test.ts'
const secrets = 'test/core-plugins/attack/rights-secrets.test.ts'
const sms = 'test/core-plugins/mail/sms.test.ts'

/** A message says what we say, goes to one reader, and opens nothing above whoever changed its way. */
export const mail: Fence = {
  name: 'mail',
  mutations: [
    {
      name: 'mail-way-by-an-old-sign-in',
      file: 'core-plugins/mail/delivery/delivery-guard.ts',
      before: 'requireFreshSignIn(actor)\n',
      after: '',
      tests: [way],
      why: 'Whoever finds an open console of the highest administrator reads links that reset passwords.',
    },
    {
      name: 'mail-way-of-everybody',
      file: 'core-plugins/mail/delivery/delivery-log.ts',
      before: ".whereIn('tenant_id', [0, tenantId])",
      after: ".whereIn('tenant_id', [tenantId])",
      tests: [way],
      why: 'Staff who changed the platform’s mail server get into every account of every tenant.',
    },
    {
      name: 'mail-way-of-those-below',
      file: 'core-plugins/mail/delivery/recovery-bar.ts',
      before: 'if (!isOnItsWay || !(await access.isAbove(opens, by ?? undefined))) continue',
      after: 'if (!isOnItsWay || access) continue',
      tests: [way],
      why: 'Who changed the mail server a moment ago gets into accounts above their own.',
    },
    {
      name: 'mail-server-near-us',
      file: 'core-plugins/mail/drivers/smtp-transport.ts',
      before: 'connect(host, port, timeoutMs).then(',
      after: "import('node:net').then((net) => connect && net.connect(port, host)).then(",
      tests: [secrets],
      why: 'The mail server of the settings is any service on the operator’s own network.',
    },
    {
      name: 'mail-in-the-clear-after-all',
      file: 'core-plugins/mail/drivers/smtp-transport.ts',
      before: "requireTLS: security === 'starttls',",
      after: "requireTLS: security === 'tls',",
      tests: ['test/core-plugins/mail/security.test.ts'],
      why: 'Whoever is on the way takes STARTTLS out and reads password and messages.',
    },
    {
      name: 'mail-address-in-the-log',
      file: 'core-plugins/mail/outbox/outbox.ts',
      before: "(to?.includes('@') ? words.replaceAll(to, maskRecipient(to)) : words)",
      after: "(to?.includes('@') ? words.replaceAll(to, to || maskRecipient(to)) : words)",
      tests: [delivery],
      why: 'Addresses of readers stand in logs.',
    },
    {
      name: 'mail-in-the-clear-in-the-queue',
      file: 'core-plugins/mail/outbox/outbox.ts',
      before: 'message: secrets.seal(JSON.stringify(message)) }',
      after: 'message: JSON.stringify(message && secrets && message) }',
      tests: [delivery],
      why: 'Whoever reads a copy of the database has codes and links that are on their way.',
    },
    {
      name: 'mail-code-after-its-time',
      file: 'core-plugins/mail/outbox/outbox.ts',
      before: 'if (isOutOfDate(message, job)) throw',
      after: 'if (isOutOfDate(message, job) && !message) throw',
      tests: [delivery],
      why: 'Codes and links come to mailboxes long after they should have ended.',
    },
    {
      name: 'mail-to-several',
      file: 'core-plugins/mail/recipient.ts',
      before: 'const email = /^[^\\s"(),:;<>@[\\\\\\]\\p{C}]{1,64}@',
      after: 'const email = /^[^\\s"():<>[\\\\\\]\\p{C}]{1,64}@',
      tests: [injection],
      why: 'One address is several, and a code goes to a stranger too.',
    },
    {
      name: 'mail-link-of-a-device',
      file: 'core-plugins/mail/rendering/clean-values.ts',
      before: "  'device',\n",
      after: '',
      tests: [injection],
      why: 'Who signs in with a stolen password names the device so that the warning leads its reader to them.',
    },
    {
      name: 'mail-name-that-reads-backwards',
      file: 'core-plugins/mail/rendering/clean-values.ts',
      before: ".replace(/[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff\\p{Cs}]/gu, '')",
      after: ".replace(/[\\ufeff\\p{Cs}]/gu, '')",
      tests: [injection],
      why: 'A name turns around what stands behind it in a message of ours.',
    },
    {
      name: 'mail-markup-in-a-name',
      file: 'core-plugins/mail/rendering/html-page.ts',
      before: 'return `<p>${escaped}</p>`',
      after: 'return `<p>${escaped && text}</p>`',
      tests: [injection],
      why: 'A name brings pictures and links into a message of ours.',
    },
    {
      name: 'sms-signature-without-its-time',
      file: 'core-plugins/mail/drivers/webhook-driver.ts',
      before: 'update(`${timestamp}.${body}`)',
      after: 'update(body)',
      tests: [sms],
      why: 'Whoever saw a message has the gateway send it again at any time.',
    },
    {
      name: 'sms-without-a-secret',
      file: 'core-plugins/mail/drivers/webhook-driver.ts',
      before: "const canDeliver = target !== null && secret !== ''",
      after: 'const canDeliver = target !== null',
      tests: [sms],
      why: 'Messages leave with a signature that anybody makes.',
    },
  ],
}

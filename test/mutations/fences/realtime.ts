import type { Fence } from '../mutation.ts'

const hostile = 'test/core-plugins/realtime/hostile.test.ts'
const sockets = 'test/core-plugins/realtime/sockets.test.ts'
const teller = 'test/core-plugins/realtime/tell-one-user.test.ts'
const hub = 'test/core-plugins/realtime/hub.test.ts'

/** An event comes to whom it concerns and who may hear it at the moment; no client takes what others need. */
export const realtime: Fence = {
  name: 'realtime',
  mutations: [
    {
      name: 'events-of-another-namespace',
      file: 'core-plugins/realtime/admission.ts',
      before: 'if (principal.scope !== wanted) throw',
      after: "if (principal.scope !== wanted && namespace === 'tenant') throw",
      tests: [sockets],
      why: 'Users of tenants listen to the events of the platform’s staff.',
    },
    {
      name: 'events-of-a-closed-tenant',
      file: 'core-plugins/realtime/admission.ts',
      before: "if (tenant?.status !== 'active')",
      after: 'if (!tenant)',
      tests: [sockets],
      why: 'Users of a disabled tenant go on listening.',
    },
    {
      name: 'events-token-in-an-address',
      file: 'core-plugins/realtime/socket-routes.ts',
      before: "const tokenNames = ['token', 'access_token', 'auth', 'authorization', 'jwt']",
      after: "const tokenNames = ['token']",
      tests: [sockets],
      why: 'Clients put access tokens into addresses, and whoever reads a log of a proxy has them.',
    },
    {
      name: 'events-renewed-as-another',
      file: 'core-plugins/realtime/realtime.ts',
      before: 'if (userId !== principal.userId || tenantId !== principal.tenantId) throw',
      after: 'if (userId !== principal.userId && tenantId !== principal.tenantId) throw',
      tests: [sockets],
      why: 'A connection goes on as somebody else, with what it had subscribed to before.',
    },
    {
      name: 'events-for-every-role',
      file: 'core-plugins/realtime/connections/connection.ts',
      before: 'const isWanted = isMeant && (this.topics?.(event) ?? true)',
      after: 'const isWanted = (isMeant || !isMeant) && (this.topics?.(event) ?? true)',
      tests: [sockets],
      why: 'What is announced to some roles is told to everybody of the tenant.',
    },
    {
      name: 'events-after-a-role-was-lost',
      file: 'core-plugins/realtime/connections/connection.ts',
      before: 'if (this.#holds === 0 && this.staleSince === undefined) return this.#deliver(delivery)',
      after: 'if (this.#holds === 0) return this.#deliver(delivery)',
      tests: [sockets],
      why: 'Who lost a right hears what happens in the moment after it.',
    },
    {
      name: 'events-missed-before-a-right-was-lost',
      file: 'core-plugins/realtime/connections/connection.ts',
      before: 'await this.wire.drained(most)\n    await this.#verify()',
      after: 'await this.wire.drained(most)',
      tests: [hub],
      why: 'A client that reads slowly goes on getting what it may not hear any more.',
    },
    {
      name: 'events-of-a-plugin-one-may-not-open',
      file: 'core-plugins/realtime/wire/plugin-events.ts',
      before: "namespace !== 'user' && plugins.hasEntryFor(plugin, principal)",
      after: "namespace !== 'user' && (plugins.hasEntryFor(plugin, principal) || plugin !== '')",
      tests: [teller],
      why: 'What a plugin tells is heard by users who may open no page of it.',
    },
    {
      name: 'events-of-a-plugin-to-everybody',
      file: 'core-plugins/realtime/wire/plugin-events.ts',
      before: 'userId === undefined ? keyOf.plugins(tenantId)',
      after: 'userId !== 0 ? keyOf.plugins(tenantId)',
      tests: [teller],
      why: 'What a plugin tells one user comes to everybody of the tenant.',
    },
    {
      name: 'sockets-of-one-address',
      file: 'core-plugins/realtime/connections/address-limit.ts',
      before: 'if (counts.open >= this.#limits.perAddress || ',
      after: 'if (',
      tests: [hostile],
      why: 'One address with many accounts takes every connection of a host.',
    },
    {
      name: 'sockets-that-talk-without-end',
      file: 'core-plugins/realtime/sockets/socket-session.ts',
      before: 'else this.close(closes.rate)',
      after: 'else then()',
      tests: [hostile],
      why: 'A client keeps a host busy with its messages.',
    },
    {
      name: 'sockets-that-are-silent',
      file: 'core-plugins/realtime/sockets/socket-session.ts',
      before: 'if (now - this.#heardAt > silentMilliseconds) return this.#socket.cut()\n',
      after: 'void silentMilliseconds\n',
      tests: ['test/core-plugins/realtime/tick.test.ts'],
      why: 'Connections of clients that are gone stay for ever, until a host has no more.',
    },
    {
      name: 'sockets-that-hold-memory-together',
      file: 'core-plugins/realtime/realtime.ts',
      before: 'this.#relieve(limits.allBufferedBytes)',
      after: 'this.#relieve(Infinity * limits.allBufferedBytes)',
      tests: ['test/core-plugins/realtime/tick.test.ts'],
      why: 'Many clients that read slowly take the memory of a host, each within its own bound.',
    },
  ],
}

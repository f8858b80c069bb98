import type { Fence } from '../mutation.ts'

const guarded = 'test/kernel/http/guarded-fetch.test.ts'
const addresses = 'kernel/http/egress/public-address.ts'
const connector = 'kernel/http/egress/guarded-connector.ts'

/** Plugins and tenants never make this machine speak to what is near it. */
export const egressAddresses: Fence = {
  name: 'egress-addresses',
  mutations: [
    {
      name: 'egress-some-for-every',
      file: connector,
      before: 'if (!found.every(({ address }) => isAllowed(address))) return',
      after: 'if (!found.some(({ address }) => isAllowed(address))) return',
      tests: [guarded],
      why: 'A name with one good and one near address is connected to.',
    },
    {
      name: 'egress-host-check-some-for-every',
      file: connector,
      before: 'if (!found.every(isAllowed)) throw forbidden()',
      after: 'if (!found.some(isAllowed)) throw forbidden()',
      tests: ['test/core-plugins/storage/egress.test.ts', guarded],
      why: 'A setting with such a name is accepted.',
    },
    {
      name: 'egress-literals-unchecked',
      file: connector,
      before: 'if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) return',
      after: 'if (isIP(options.hostname) === 4 && !isAllowed(options.hostname)) return',
      tests: [guarded],
      why: 'An IPv6 literal is dialled before it is refused.',
    },
    {
      name: 'egress-socket-unchecked',
      file: connector,
      before: "if (isAllowed(socket.remoteAddress ?? '')) {",
      after: "if (isAllowed(socket.remoteAddress ?? '') || wireBytes === undefined || wireBytes > 0) {",
      tests: [guarded],
      why: 'The last look, at the address that was in fact connected to.',
    },
    {
      name: 'egress-exception-of-every-port',
      file: connector,
      before: "return exceptions.has(`${host.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`)",
      after:
        'return [...exceptions].some((entry) => entry.startsWith(`${host.toLowerCase()}:`)) || `${port}${protocol}` === host',
      tests: [guarded],
      why: 'An exception for one port opens the whole host.',
    },
    {
      name: 'egress-link-local-behind-exceptions',
      file: addresses,
      before: 'return address !== undefined && !isIn(address, never)',
      after: 'return address !== undefined',
      tests: [guarded],
      why: 'Where the operator made an exception the machine’s credentials are handed out.',
    },
    {
      name: 'egress-translated-address',
      file: addresses,
      before: "if (address.kind() === 'ipv4' || !isIn(address, [nat64])) return address",
      after: 'return address',
      tests: [guarded],
      why: 'NAT64 carries a packet to a private IPv4 address.',
    },
    {
      name: 'egress-wide-global-unicast',
      file: addresses,
      before: "ipaddr.parseCIDR('2000::/3')",
      after: "ipaddr.parseCIDR('::/0')",
      tests: [guarded],
      why: 'What is no global unicast address counts as public.',
    },
    {
      name: 'egress-mapped-address',
      file: addresses,
      before: 'ipaddr.process(text)',
      after: 'ipaddr.parse(text)',
      tests: [guarded],
      why: '::ffff:127.0.0.1 is looked at as IPv6.',
    },
    {
      name: 'egress-wire-server',
      file: addresses,
      before: "ranges('168.63.129.16/32', '2001::/23'",
      after: "ranges('2001::/23'",
      tests: [guarded],
      why: 'The wire server of a cloud has a public number.',
    },
    {
      name: 'egress-isatap',
      file: addresses,
      before: '&& !isTunnelled(address as IPv6))',
      after: ')',
      tests: [guarded],
      why: 'ISATAP hides a private IPv4 address in the second half.',
    },
    {
      name: 'egress-multicast-behind-exceptions',
      file: addresses,
      before: "'0.0.0.0/8', '224.0.0.0/4'",
      after: "'0.0.0.0/8', '224.0.0.0/8'",
      tests: [guarded],
      why: 'The range for what is never a server is narrower than it is.',
    },
    {
      name: 'tcp-mixed-answers',
      file: 'kernel/http/egress/guarded-socket.ts',
      before: 'if (!addresses.every(isAllowed)) throw',
      after: 'if (!addresses.some(isAllowed)) throw',
      tests: ['test/kernel/http/guarded-fetch.test.ts'],
      why: 'A mail server’s name leads to a near place as well.',
    },
    {
      name: 'answers-encoded-often',
      file: 'kernel/http/egress/read-body.ts',
      before: 'applied.length > maxEncodings',
      after: 'applied.length > 9 * maxEncodings',
      tests: ['test/kernel/http/guarded-fetch.test.ts'],
      why: 'An answer is unpacked as often as its sender likes.',
    },
    {
      name: 'wire-without-end',
      file: 'kernel/http/egress/wire-limit.ts',
      before: 'if (arrived <= maxBytes) return chunk',
      after: 'if (arrived <= maxBytes || maxBytes > 0) return chunk',
      tests: ['test/sandbox/http-attacks.test.ts'],
      why: 'What no reader of a body sees costs memory and time without end.',
    },
  ],
}

import { asking, cron, hears, host, item, route, says, slot } from '../../sandbox/manifest-samples.ts'
import { textWith, withText, type Cases } from './forge.ts'
import { each, many, packagesOf, type Values } from './values.ts'

const hosts = [
  ...'127.0.0.1 0.0.0.0 0 2130706433 0x7f.1 017700000001 127.1 [::1] ::1 localhost a com * *.* *.com'.split(' '),
  ...'*.*.example.com a.*.example.com *example.com a..example.com .example.com example.com. Example.com'.split(' '),
  ...'example.com:443 https://example.com example.com/a user@example.com example.com?x example.com#x'.split(' '),
  ...'example.com\0 \u0435xample.com example\u3002com -a.example.com a-.example.com a_b.example.com'.split(' '),
  ...['', 'ex ample.com', `${'a'.repeat(64)}.example.com`, `${'a.'.repeat(120_000)}com`],
]
const paths = [
  ...'/ a // /a/ /a//b /../a /./a /%2e%2e /a?b /a#b /A /a.b /* /(.*) /: /:A /:a-b /:a:b /a:b /{a} /[a]'.split(' '),
  ...'/\u00e9 /a\\b /a\0 /:__proto__ https://a.test/ /a\n'.split(' '),
  ...['', '/a b', `/${'a/'.repeat(8)}a`, `/${'a'.repeat(200)}`],
]
const times = [
  ...['* * * * * *', '* * * *', '@daily', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 13 *'],
  ...['* * * * 8', '*/0 * * * *', '-1 * * * *', '1-0 * * * *', 'a * * * *', '* * * JAN *', 'L * * * *', '*  * * * *'],
  ...[' * * * * *', '* * * * * ', '1,,2 * * * *', ', * * * *', '*/99 * * * *', '1-2-3 * * * *', '* * * * *\n'],
  ...['1/2/3 * * * *', `${'1,'.repeat(49)}1 * * * *`, '?'.repeat(100), '1,'.repeat(120_000)],
]
const patterns = [
  ...['(', '[', '*', 'a{2,1}', '^(a+)+$', '^(a*)*$', '^(a|a)*$', '^(a|aa)+$', '^(.*)*$', '(?=a)', '(?<a>b)', '\\1'],
  ...['^(a)\\1', 'a*a*a*a*a*b', '^(a?){30}b$', '^(a|aa){30}b$', '^x|a*a*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '[b-a]'],
  ...['\\p{Nope}', '\\u{110000}', 'a'.repeat(201), 'x+x+y', '(x*)*y', '\\k<a>', '(?<!a)b', '.*.*.*=.*', ''],
  ...['^(a{1,100}){1,100}$', `^${'(?:a|aa)'.repeat(23)}b`, `^${'a?'.repeat(40)}${'a'.repeat(40)}b`],
]
const handlers = ['', '__proto__', 'constructor', 'prototype', 'a.b', 'a()', '1a', 'a b', 'a-b', '\u00e4', 'a\0', 'a\n']
const pages = 'a.html ui/a.js ui/../a.html /ui/a.html ui/.a.html ui/a.html?x https://a.test/a.html ui/a.htm ui/a.HTML'

/** What a manifest asks for or offers, and no plugin may. */
const values: Values = {
  ...each('the host', hosts, host),
  ...each<unknown>('the port', [0, -1, 65_536, 1.5, '443', null, 1e10], (port) =>
    asking('http', { http: { hosts: [{ host: 'api.example.com', ports: [port] }] } }),
  ),
  ...each('the method', ['', 'GET ', ...'TRACE CONNECT OPTIONS get *'.split(' ')], (method) => ({
    tenant_routes: [route({ method })],
  })),
  ...each('the path', paths, (path) => ({ tenant_routes: [route({ path })] })),
  ...each('the handler', [...handlers, 'a'.repeat(65)], (handler) => ({ tenant_routes: [route({ handler })] })),
  ...each('the way in', ['', 'optional', 'None', 'user', null], (auth) => ({ public_routes: [route({ auth })] })),
  ...each('the page in a slot', [...pages.split(' '), `ui/${'a/'.repeat(120_000)}a`], (entry) =>
    asking('ui', { slots: [slot({ entry })] }),
  ),
  ...each('the slot', ['', 'footer', 'page ', '__proto__', null], (name) =>
    asking('ui', { slots: [slot({ slot: name })] }),
  ),
  ...each(
    'the event',
    '* kernel.* kernel kernel.auth.refresh_reused *.sample.made acme.* acme.*.made'.split(' '),
    hears,
  ),
  ...each(
    'the heard event',
    'acme.sample. acme.sample acme.sample.** __proto__.a.b Acme.sample.made'.split(' '),
    hears,
  ),
  ...each(
    'the own event',
    'other.sample.made acme.samplex.made acme.sample acme.sample. acme.sample.*'.split(' '),
    says,
  ),
  ...each('the said event', 'acme.sample.Made kernel.tenant.created acme.sample.a..b'.split(' '), says),
  ...each('the times', times, (expression) => cron(expression)),
  ...each('the time zone', ['', ...'Mars/Olympus ../UTC UTC+1 +01:00 tenant Etc/../UTC'.split(' ')], (timezone) =>
    cron('0 0 * * *', { timezone }),
  ),
  ...each('the pattern', patterns, (pattern) => item({ rules: { pattern } })),
  ...each('the key', ['', 'a b', 'a\n', 'a'.repeat(41), ...'A 1a a-b a.b __proto__ _a \u00e4 a\0'.split(' ')], (key) =>
    item({ key }),
  ),
  ...each<unknown>('the default', [null, [], {}, 1, true], (value) => item({ type: 'STRING', default: value })),
  ...each('the colour', 'red #12 #ggg url(//evil.test) #fff;}'.split(' '), (value) =>
    item({ type: 'COLOR', default: value }),
  ),
  ...each('the table', ['', 'a b', 'a'.repeat(32), ...'A a.b pg_class; 1a a-b "a" _a \u00e4'.split(' ')], (table) =>
    asking('db:own_tables', { db: { tables: [table] } }),
  ),
  ...each('the folder of migrations', '/ ../ migrations sql/ migrations/../'.split(' '), (migrations) =>
    asking('db:own_tables', { db: { tables: ['a'], migrations } }),
  ),
  ...each<unknown>(
    'the terms',
    [
      ...[
        { type: 'gratis' },
        { trialDays: -1 },
        { trialDays: 366 },
        { graceDays: 91 },
        { graceDays: 1.5 },
        { price: 1 },
      ],
      ...[{ features: ['A B'] }, { keys: ['../k'] }, { keys: [''] }, { keys: many(11, String) }, { type: null }],
    ],
    (terms) => asking('license', { licensing: { type: 'commercial', ...(terms as object) } }),
  ),
  ...each<unknown>(
    'the limits',
    [
      ...[{ memoryMb: 0 }, { memoryMb: 1e9 }, { cpuMs: 0 }, { cpuMs: 6_000 }, { wallMs: 1e6 }, { concurrency: 0 }],
      ...[{ concurrency: 100 }, { memoryMb: '128' }, { cpuMs: null }, { disk: 1 }, null, []],
    ],
    (limits) => ({ limits }),
  ),
  '201 routes': { tenant_routes: many(201, (index) => route({ path: `/a${index}` })) },
  '1,500 equal routes': { tenant_routes: many(1_500, () => route()) },
  '2,000 slots': asking('ui', { slots: many(2_000, () => slot()) }),
}

/** Numbers that JSON can write and a manifest cannot mean; texts that JSON can write and no database keeps. */
const written: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    '1e999 -1e999 1e400 1.5 -1 1e21 99999999999999999999'
      .split(' ')
      .map((number) => [`a bound of ${number}`, `"type":"STRING","rules":{"max_length":${number}}`]),
  ),
  'a default of 1e999': '"type":"NUMBER","default":1e999',
  'a default of 1e999 in JSON': '"type":"JSON","default":{"a":[1e999]}',
  'a bound of 1e999': '"type":"NUMBER","rules":{"max":1e999}',
  'a default of half a character': '"type":"STRING","default":"\\ud800"',
  'a default with a zero byte': '"type":"STRING","default":"\\u0000"',
  'a default with a key of half a character': '"type":"JSON","default":{"\\udc00":1}',
}
const withItem = (members: string): Buffer =>
  withText(
    textWith(
      '"capabilities":[]',
      `"capabilities":["config"],"reasons":{"config":"x"},"config":[{"key":"a","scope":"tenant",${members}}]`,
    ),
  )

/** Packages whose manifest asks for too much, or for nothing that there is. */
export const manifestParts: Cases = {
  ...packagesOf(values),
  ...Object.fromEntries(Object.entries(written).map(([name, members]) => [name, () => withItem(members)])),
}

import { refused } from '../../sandbox/manifest-refusals.ts'
import { each, many, packagesOf, type Values } from './values.ts'

const long = (length: number): string => 'a'.repeat(length)
const names = [
  ...'a . acme. .sample acme..sample acme.sample.x -acme.sample acme-.sample acme.-a acme.a- acme.a--b acme._a'.split(
    ' ',
  ),
  ...'acme.a_b acme/sample acme.sample/.. ACME.sample acme.Sample 1acme.a acme.1a pg.a acme.pg api.a public.a'.split(
    ' ',
  ),
  ...'internal.a system.a tenant.a acme.nul com1.a acme.lpt9 acme.aux __proto__.a constructor'.split(' '),
  ...[
    ' acme.sample',
    'acme.sample ',
    'acme.sample\n',
    'acme.\u0455ample',
    'acme.s\u0430mple',
    long(65),
    `acme.${long(60)}`,
  ],
]
const versions = [
  ...'1 1.0 1.0.0.0 v1.0.0 =1.0.0 01.0.0 1.0.0- 1.0.0-01 1.0.0+ 1.x.0 * latest ../1.0.0 1.0.0/.. -1.0.0 1e3.0.0'.split(
    ' ',
  ),
  ...['', ' 1.0.0', '1.0.0 ', '1.0.0\n', '99999999999999999999.0.0', `1.0.0-${long(60)}`, '1.0.0-\u0430'],
]
const entries = [
  ...'index.js dist/../index.js /dist/index.js dist/a/b.js dist\\index.js dist/index.mjs dist/.index.js dist/'.split(
    ' ',
  ),
  ...'file:///etc/passwd node:fs https://evil.test/a.js dist/index.js?x dist/index.js#x ui/a.js'.split(' '),
  ...['', 'dist/index.js\0', 'dist/index.js\n'],
]
const addresses = [
  ...'http://a.test javascript:alert(1) data:text/html,x //a.test https:// https://user@a.test file:///a'.split(' '),
  ...'https:a.test ftp://a.test HTTPS://a.test https://[ https://%zz https://a.test:99999 https://\u0430%00'.split(' '),
  ...['https://a b', 'https://a.test/\u0000', 'https://a.test/\u202e', 'https://'.padEnd(600, 'a')],
]
const modules = 'fs node:fs@* @1 ../dayjs@1 __proto__@* a/b@1 @a@1 Dayjs@1 dayjs@1@2 dayjs@file:a .a@1'.split(' ')

/** What a manifest says of who the plugin is and what it runs with. */
const values: Values = {
  ...Object.fromEntries(Object.entries(refused).map(([name, [changes]]) => [`a manifest with ${name}`, changes])),
  ...each('the name', names, (name) => ({ name, publisher: name.split('.')[0] })),
  ...each('the version', versions, (version) => ({ version })),
  ...each('the publisher', ['', 'other', 'Acme', 'acme.sample', 'acme '], (publisher) => ({ publisher })),
  ...each(
    'the range',
    [...'latest >= ^ git+https://a file:.. npm:a@1'.split(' '), '>1.0.0 <<2', '1 - - 2', long(129)],
    (host) => ({ engines: { host } }),
  ),
  ...each('the requirement of', 'acme ../x constructor kernel.a Acme.base acme.sample'.split(' '), (name) => ({
    requires: { [name]: '*' },
  })),
  ...each('the conflict with', 'acme ../x constructor kernel.a Acme.base acme.sample'.split(' '), (name) => ({
    conflicts: { [name]: '*' },
  })),
  ...each('the entry', entries, (main) => ({ main })),
  ...each('the page', addresses, (homepage) => ({ homepage })),
  ...each('the place of the source', addresses.slice(0, 4), (repository) => ({ repository })),
  ...each('the help', ['mailto:', 'mailto:a', 'tel:1', 'mailto:a@b c', 'javascript:alert(1)//@'], (support) => ({
    support,
  })),
  ...each(
    'the icon',
    ['', ...'icon.svg ../icon.png ui/icon.png ICON.PNG https://a.test/icon.png'.split(' ')],
    (icon) => ({
      icon,
    }),
  ),
  ...each('the licence', ['', ' MIT', '<script>', 'MIT\n', '../LICENSE', long(101), '\u4e2d'], (license) => ({
    license,
  })),
  ...each('the module', [...modules, 'dayjs', 'dayjs@latest', 'dayjs@'], (module) => ({ hostModules: [module] })),
  ...each('the trust', ['', 'root', 'Official', 'site', '__proto__'], (minTrust) => ({ minTrust })),
  ...each<unknown>('the scope', ['', 'global', 'Tenant', null, ['tenant']], (scope) => ({ scope })),
  ...each<unknown>('the version of the form', [0, 2, '1', 1.5, null, [1], true], (manifestVersion) => ({
    manifestVersion,
  })),
  ...each<unknown>(
    'the title',
    [
      ...[
        null,
        '',
        'A',
        [],
        {},
        1,
        { en: 'A' },
        { default: '' },
        { default: 1 },
        { default: long(101) },
        { default: ' ' },
      ],
      ...[{ default: 'A', EN: 'B' }, { default: 'A', '../x': 'B' }, { default: 'A', en: null }, { default: 'A\u0007' }],
      ...[{ default: '\u202eA' }, { default: '\u200b\u2060' }, { default: 'A\u2028B' }, { default: 'A\u009bB' }],
    ],
    (title) => ({ title }),
  ),
  'a title in 41 languages': {
    title: Object.fromEntries([
      ['default', 'A'],
      ...many(41, (index) => [`a${String.fromCharCode(97 + (index % 26))}${index > 25 ? 'a' : ''}`, 'B']),
    ]),
  },
  ...each(
    'the language',
    [
      '',
      'default ',
      ...'EN en_US zh-cn e english ../en en/../zh __proto__ constructor x-klingon en-US-x-a en\0'.split(' '),
    ],
    (locale) => ({ locales: [locale] }),
  ),
  ...each(
    'the README',
    'readme.md ../README.md README.html README README/../a.md ui/README.md README.md\0'.split(' '),
    (path) => ({
      readme: { default: path },
    }),
  ),
  'a keyword of 250 KB': { keywords: [long(250_000)] },
  'a slug of 250 KB': { categories: ['a-'.repeat(125_000)] },
  'a range of 250 KB': { engines: { host: '1 '.repeat(120_000) } },
  '9,000 keywords': { keywords: many(9_000, () => 1) },
}

/** Packages whose manifest is not who it says, or nobody. */
export const manifestIdentities = packagesOf(values)

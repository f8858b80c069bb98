import assert from 'node:assert/strict'

interface Module {
  readonly addressBelow: (prefix: string, path: unknown, origin: string) => URL | undefined
}

// Not by its name: it has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/frames/request-path.ts', import.meta.url).href
const prefix = '/tenant/plugins/acme.framed/api'
const origin = 'https://console.example'

/** Every way to write a dot, a slash and a backslash that some reader of addresses takes for one. */
const dots = ['.', '%2e', '%2E']
const ups = dots.flatMap((left) => dots.map((right) => left + right))
const slashes = ['%2f', '%2F', '%5c', '%5C', '\\', '//', '%00']

describe('the paths that a page of a plugin may ask for', () => {
  let addressBelow: Module['addressBelow']

  before(async () => {
    addressBelow = ((await import(file)) as Module).addressBelow
  })

  it('32: no spelling leaves the plugin’s own routes', () => {
    const foreign = [
      ...ups.flatMap((up) => [
        `/${up}`,
        `/${up}/`,
        `/a/${up}`,
        `/a/${up}/b`,
        `/${up}/${up}/${up}/auth/me`,
        `/a/${up}%2fb`,
      ]),
      ...dots.flatMap((dot) => [`/${dot}`, `/${dot}/a`, `/a/${dot}/b`, `/a/${dot}`]),
      ...slashes.flatMap((slash) => [
        `/${slash}`,
        `/a${slash}b`,
        `${slash}a`,
        `/a/${slash}/b`,
        `/..${slash}..${slash}auth`,
      ]),
      ...ups.flatMap((up) => slashes.map((slash) => `/${up}${slash}${up}${slash}auth/me`)),
      ...[
        'http://evil.example/',
        'https:/a',
        '//evil.example/',
        'javascript:alert(1)',
        'data:text/html,x',
        'a',
        '',
        ' /a',
      ],
      ...[
        '/a?b',
        '/a#b',
        '/a b',
        '/a\n',
        '/a\r',
        '/a\t',
        '/\u0000',
        '/ä',
        '/\u2024\u2024/',
        '/%',
        '/%2',
        '/%zz',
        '/%c0%ae',
        '/%ff',
      ],
      ...[
        '/a;b/../c',
        '/a/..;/b/../c',
        `/${'a'.repeat(2000)}`,
        '/<script>',
        '/"',
        '/{a}',
        '/a|b',
        '/^',
        '/`',
        '/[::1]/',
      ],
    ]
    assert.ok(foreign.length > 150, String(foreign.length))
    assert.deepEqual(
      foreign.filter((path) => addressBelow(prefix, path, origin) !== undefined),
      [],
    )
    for (const path of [undefined, null, 7, {}, ['/a'], { toString: () => '/a' }])
      assert.equal(addressBelow(prefix, path, origin), undefined)
  })

  it('what is plain stays as it is', () => {
    for (const path of [
      '/',
      '/a',
      '/a/b.c',
      '/a/..b/c..',
      '/a%20b',
      '/%e4%bd%a0',
      '/a:b@c;d=e',
      '/%252e%252e/a',
      '/...',
    ])
      assert.equal(addressBelow(prefix, path, origin)?.href, `${origin}${prefix}${path}`)
  })
})

import { deepEqual } from 'node:assert/strict'
import { followRedirects } from '../../marketplace/index-client/http-redirects.ts'

describe('an index that leads elsewhere', () => {
  /** The rule that ends it, or the status of the answer; with what was asked of whom. */
  async function follow(
    base: string,
    ...locations: readonly string[]
  ): Promise<readonly [end: unknown, asked: object]> {
    const asked: [url: string, headers: object][] = []
    const policy = {
      ...{ source: 'acme', base: new URL(base), headers: { authorization: 'secret' } },
      downloadHosts: ['Files.acme.test', 'files.acme.test:8443'],
    }
    const ask = (url: URL, headers: Readonly<Record<string, string>>) => {
      const location = locations[asked.length]
      asked.push([url.href, headers])
      return Promise.resolve(
        location === undefined ? { status: 200, headers: {} } : { status: 302, headers: { location } },
      )
    }
    const end = await followRedirects(new URL('index.json', base), policy, ask).then(
      ({ status }) => status,
      (error: unknown) => (error as { readonly details?: { readonly rule?: string } }).details?.rule,
    )
    return [end, asked.slice(1)]
  }
  const secret = { authorization: 'secret' }

  it('is followed to its own host, and to its download hosts without its headers', async () => {
    deepEqual(await follow('https://acme.test/i/', '/other.json', 'https://files.acme.test/a.json'), [
      200,
      [
        ['https://acme.test/other.json', secret],
        ['https://files.acme.test/a.json', {}],
      ],
    ])
    deepEqual(await follow('http://acme.test/', 'http://files.acme.test:8443/'), [
      200,
      [['http://files.acme.test:8443/', {}]],
    ])
  })

  const refused: readonly (readonly [location: string, rule: string])[] = [
    ['http://acme.test/index.json', 'redirect_insecure'],
    ['http://files.acme.test/', 'redirect_insecure'],
    ['file:///etc/passwd', 'redirect_insecure'],
    ['https://user@acme.test/index.json', 'redirect_insecure'],
    ['https://:secret@files.acme.test/', 'redirect_insecure'],
    ['https://files.acme.test:444/', 'redirect_host'],
    ['https://acme.test:8443/', 'redirect_host'],
    ['https://files.acme.test.evil.test/', 'redirect_host'],
    ['//evil.test/', 'redirect_host'],
    ['https://[', 'redirect_invalid'],
  ]
  for (const [location, rule] of refused) {
    it(`is not followed to ${location}`, async () => {
      deepEqual(await follow('https://acme.test/', location), [rule, []])
    })
  }

  it('is followed three times, and not a fourth', async () => {
    const led = async (times: number) => (await follow('https://acme.test/', ...Array<string>(times).fill('/a')))[0]
    deepEqual([await led(3), await led(4)], [200, 'redirect_loop'])
  })
})

import assert from 'node:assert/strict'
import type { RouteContext } from '#kernel'
import { assetRoutes } from '../../../core-plugins/console/routes.ts'
import type { AssetTable } from '../../../core-plugins/console/serving/asset-table.ts'
import { ConsolePage } from '../../../core-plugins/console/serving/page.ts'
import { pageHeaders } from '../../../core-plugins/console/serving/page-policy.ts'
import { reportRoute } from '../../../core-plugins/console/serving/report-route.ts'
import { StorageOrigins } from '../../../core-plugins/console/serving/storage-origins.ts'
import { recordingLog } from '../../support/recording-log.ts'

const headersOf = (reply: unknown) => (reply as { readonly headers: Readonly<Record<string, string>> }).headers

describe('the headers of the console', () => {
  it('say all that the page may do', () => {
    const { 'content-security-policy': policy = '', ...others } = pageHeaders('stoa.test:8443', true, [
      'https://files.test',
    ])
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob: https://files.test",
      "font-src 'self'",
      "media-src 'self' blob: https://files.test",
      "connect-src 'self' wss://stoa.test:8443 https://files.test",
      "frame-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types vue dompurify stoa ProseMirrorClipboard',
      'report-to csp',
    ])
    const denied = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture', 'clipboard-read']
    assert.deepEqual(others, {
      'reporting-endpoints': 'csp="/api/public/csp-report"',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': [...denied.map((name) => `${name}=()`), 'clipboard-write=(self)', 'fullscreen=(self)'].join(
        ', ',
      ),
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  it('ask for TLS for good only where the site has it', async () => {
    const isStrict = async (publicUrl: string, isForced: boolean) => {
      const config = { get: <T>() => Promise.resolve(isForced as T) }
      const page = new ConsolePage({
        ...{ config, publicUrl, builder: { absence: 'failed' as const, bringUpToDate: () => Promise.resolve() } },
        assets: { find: () => Promise.resolve(undefined) } as unknown as AssetTable,
        storage: { of: () => Promise.resolve([]) },
      })
      const reply = await page.answer({ authority: 'stoa.test', header: () => undefined, isFresh: () => false })
      return 'strict-transport-security' in headersOf(reply)
    }
    assert.deepEqual(
      [await isStrict('http://stoa.test', true), await isStrict('https://stoa.test', false)],
      [false, false],
    )
    assert.equal(await isStrict('https://stoa.test', true), true)
  })

  it('fence in a script that begins a worker', async () => {
    const asset = (contentType: string) => ({
      ...{ contentType, codings: [], etag: () => '"1"', content: () => Promise.resolve(Buffer.from('')) },
    })
    const files = new Map([
      ['assets/a.js', asset('text/javascript; charset=utf-8')],
      ['assets/a.css', asset('text/css; charset=utf-8')],
    ])
    const table = { find: (file: string) => Promise.resolve(files.get(file)) } as unknown as AssetTable
    const policyOf = async (file: string) => {
      const ctx = { params: { file }, header: () => undefined, isFresh: () => false } as unknown as RouteContext
      const reply = await assetRoutes(table)[0]?.handler(ctx as never)
      return headersOf(reply)['content-security-policy']
    }
    assert.deepEqual(
      [await policyOf('a.js'), await policyOf('a.css')],
      ["default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'", undefined],
    )
  })

  it('name where the files of the platform and of the tenant of the host lie, and those of no other', async () => {
    const byHost = (host: string) => Promise.resolve(host === 'acme.test' ? ({ id: 7 } as never) : undefined)
    const linkOrigins = (id: number) => Promise.resolve([`https://files-${id}.test`])
    const origins = new StorageOrigins({ volumes: { linkOrigins }, tenants: { byHost }, log: recordingLog().log })
    assert.deepEqual(await origins.of('acme.test'), ['https://files-0.test', 'https://files-7.test'])
    assert.deepEqual(await origins.of('other.test'), ['https://files-0.test'])
  })
})

describe('a report of what the console’s policy refused', () => {
  const route = reportRoute()

  it('is logged as what was broken, without what may be the reader’s', async () => {
    const logged: object[] = []
    const report = {
      ...{ effectiveDirective: 'script-src', blockedURL: 'https://evil.test/x.js?token=1', lineNumber: 7 },
      ...{ documentURL: 'https://stoa.test/console/#secret', sourceFile: `https://a.test/${'x'.repeat(400)}` },
      ...{ disposition: 'enforce', sample: 'a password', referrer: 'https://stoa.test/reset?code=1', statusCode: 200 },
    }
    const ctx = { body: [{ body: report }], log: { warn: (fields: object) => void logged.push(fields) } }
    await route.handler(ctx as never)
    const violation = {
      ...{ effectiveDirective: 'script-src', blockedURL: 'https://evil.test/x.js', lineNumber: '7' },
      ...{ documentURL: 'https://stoa.test/console/', sourceFile: `https://a.test/${'x'.repeat(285)}` },
      disposition: 'enforce',
    }
    assert.deepEqual(logged, [{ violation }])
  })

  it('is bounded in its size and its number, since anybody may send it', () => {
    const { limit, maxBodyBytes } = route
    const policy = { policy: 'csp_report', requests: 60, seconds: 60, by: 'ip' }
    assert.deepEqual({ limit, maxBodyBytes }, { limit: policy, maxBodyBytes: 65_536 })
  })
})

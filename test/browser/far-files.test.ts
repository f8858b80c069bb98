import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { sha256, uploaded } from '../support/attachments.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { watchPage } from './support/chromium.ts'
import { demoOwner, useActs } from './support/stage.ts'

const fileBytes = 100_000
const zip = () => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(fileBytes)])
const group = '/admin/configs/groups/platform_storage'

describe('files that lie in a bucket', () => {
  const acts = useActs()

  before(async () => {
    const { staff, s3 } = acts.stage
    dataOf(await (await staff()).put(group, { storage_driver: 's3', storage_config: s3.config() }))
  })
  after(async () => {
    dataOf(await (await acts.stage.staff()).put(group, { reset: ['storage_driver', 'storage_config'] }))
  })

  it('4.10: are sent through the platform, shown and downloaded, although the bucket lets no script of another origin in', async () => {
    const { host, s3 } = acts.stage
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await context.newPage()
    const watched = watchPage(page, host.url)
    await page.goto(acts.at('/files'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const buffer = await picture(40, 20).png().toBuffer()
    await page.getByLabel('Upload', { exact: true }).setInputFiles({ name: 'far.png', mimeType: 'image/png', buffer })
    const row = page.getByRole('row').filter({ hasText: 'far.png' })
    await row.waitFor()
    assert.ok((await s3.state()).objects.some(({ size, type }) => size === buffer.length && type === 'image/png'))

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Download far.png' }).click(),
    ])
    assert.equal(saved.suggestedFilename(), 'far.png')
    assert.deepEqual(await readFile(await saved.path()), buffer)

    // The picture that everybody sees comes by a redirect, which only the policy of the page lets through.
    const staff = await acts.stage.staff()
    const { id } = await uploaded(staff, 'logo.png', buffer, { usage: 'config', visibility: 'public' })
    dataOf(await staff.put('/admin/configs/groups/platform_basic', { site_logo: id, logo_dark: id }))
    try {
      const open = await (await acts.person()).newPage()
      const watchedToo = watchPage(open, host.url)
      await open.goto(acts.at('/login'))
      const shown = open.locator('img[src*="/api/public/attachments/"]').first()
      await until(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth === 40))
      const places = [...new Set(watchedToo.faults.map(withoutPath))]
      assert.deepEqual(places, [`elsewhere: http://localhost:${s3.port}`])
    } finally {
      dataOf(await staff.put('/admin/configs/groups/platform_basic', { reset: ['site_logo', 'logo_dark'] }))
    }
    // The bucket was asked once and let nothing in; a download is led there by the browser itself, in a tab of its own.
    const asked = [`elsewhere: http://localhost:${s3.port}`, 'refused by CORS']
    assert.deepEqual([...new Set(watched.faults.map(withoutPath))].toSorted(), asked)
    assert.equal(watched.faults.filter((fault) => fault.startsWith('elsewhere')).length, 1)
    const forms = formsOf(page)
    await choose(page, 'second.zip', zip())
    await page.getByRole('row').filter({ hasText: 'second.zip' }).waitFor()
    assert.deepEqual(await forms(1), ['file'])
    assert.equal(watched.faults.filter((fault) => fault.startsWith('elsewhere')).length, 1)
  })

  it('4.10: are sent to the bucket itself where it lets the console in, and through the platform where it then refuses', async () => {
    const { host, s3 } = acts.stage
    const by = await acts.stage.owner()
    await s3.letIn(new URL(host.url).origin)
    try {
      // A header on every request would be one that the bucket knows nothing of.
      const page = await (await acts.signedIn(demoOwner(acts.stage), { extraHTTPHeaders: {} })).newPage()
      const watched = watchPage(page, host.url)
      await page.goto(acts.at('/files'))
      await page.getByRole('heading', { level: 1 }).waitFor()
      const forms = formsOf(page)
      for (const name of ['straight.zip', 'refused.zip']) {
        if (name === 'refused.zip') await s3.fail({ on: 'put', kind: 'status', status: 403, code: 'AccessDenied' })
        const content = zip()
        await choose(page, name, content)
        await page.getByRole('row').filter({ hasText: name }).waitFor()
        const { items } = dataOf(await by.get(`/attachments?q=${name}`)) as unknown as { items: { hash: string }[] }
        assert.deepEqual(
          items.map(({ hash }) => hash),
          [sha256(content)],
        )
      }
      // Of the first the platform was told alone that it is there; of the other it got the bytes.
      assert.deepEqual(await forms(2), ['complete', 'file'])
      const { objects } = await s3.state()
      assert.deepEqual(
        objects.filter(({ key }) => key.includes('/incoming/')).map(({ key }) => key),
        [],
      )
      const puts = watched.faults.filter((fault) => fault.startsWith('elsewhere')).map(withoutPath)
      assert.deepEqual(puts, Array(2).fill(`elsewhere: http://localhost:${s3.port}`))
    } finally {
      await s3.letIn(null)
      await s3.fail()
    }
  })

  async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
    await page.getByLabel('Upload', { exact: true }).setInputFiles({ name, mimeType: 'application/zip', buffer })
  }
  /**
   * What the platform was sent of files since, once it has answered so often: bytes, or that all of them have come. A row may show
   * before that, by the news of it.
   */
  function formsOf(page: Page): (count: number) => Promise<readonly string[]> {
    const forms: Promise<string>[] = []
    page.on('requestfinished', (request) => {
      if (!request.url().endsWith('/attachments/upload')) return
      forms.push(request.headerValue('content-length').then((size) => (Number(size) > fileBytes ? 'file' : 'complete')))
    })
    return async (count) => {
      await until(() => forms.length >= count)
      return Promise.all(forms)
    }
  }
})

/** A fault that names an address, with no more of it than its origin; what a browser says of what it may not send is a long story. */
function withoutPath(fault: string): string {
  if (fault.includes('CORS')) return 'refused by CORS'
  return fault.replace(/(https?:\/\/[^/]+).*/, '$1')
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { uploaded } from '../support/attachments.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { watchPage } from './support/chromium.ts'
import { demoOwner, useActs } from './support/stage.ts'

const group = '/admin/configs/groups/platform_storage'

describe('files that lie in a bucket', function () {
  this.timeout(180_000)
  const acts = useActs()

  before(async () => {
    const { staff, s3 } = acts.stage
    dataOf(await (await staff()).put(group, { storage_driver: 's3', storage_config: s3.config() }))
  })
  after(async () => {
    dataOf(await (await acts.stage.staff()).put(group, { reset: ['storage_driver', 'storage_config'] }))
  })

  it('are sent, shown and downloaded, although the bucket lets no script of another origin in', async () => {
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
    // A download is led there by the browser itself, in a tab of its own.
    assert.deepEqual(watched.faults, [])
  })
})

/** A fault that names an address, with no more of it than its origin. */
function withoutPath(fault: string): string {
  return fault.replace(/(https?:\/\/[^/]+).*/, '$1')
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { bytesAt, sha256, textOf } from '../support/attachments.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { naturalWidthOf } from './support/natural-width.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { formsOf, keepBack } from './support/upload-forms.ts'

const megabyte = 1_048_576
const group = '/admin/configs/groups/platform_storage'

interface Line {
  readonly id: string
  readonly filename: string
  readonly hash: string
}

describe('uploads in chunks', () => {
  const acts = useActs()

  before(async () => {
    dataOf(await (await acts.stage.staff()).put(group, { chunk_size_mb: 1 }))
  })
  after(async () => {
    dataOf(await (await acts.stage.staff()).put(group, { chunk_size_mb: 5, max_file_size_mb: 50 }))
  })

  const zip = (bytes: number) => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(bytes - 4)])
  const owner = () => acts.stage.owner()
  async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
    await page.getByLabel('Upload', { exact: true }).setInputFiles({ name, mimeType: 'application/zip', buffer })
  }
  const lineOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name })
  async function fileOf(by: Api, name: string): Promise<Line> {
    const { items } = dataOf(await by.get(`/attachments?q=${name}`)) as unknown as { readonly items: readonly Line[] }
    return items.find(({ filename }) => filename === name) ?? assert.fail(`no ${name}`)
  }

  it('go on after the network was lost, each chunk sent once, and what lies on the server is the file', async () => {
    const by = await owner()
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/files')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const forms = formsOf(page)
    const content = zip(5.5 * megabyte)
    const giveBack = await keepBack(context, 2)
    await choose(page, 'lost.zip', content)
    await until(() => forms.length === 2)
    await context.setOffline(true)
    await giveBack()
    const line = lineOf(page, 'lost.zip')
    await line.getByText('No connection. It goes on by itself.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await context.setOffline(false)
    await line.getByText('Has arrived').waitFor()
    await until(() => forms.length >= 6)
    assert.deepEqual(forms.toSorted(), [200, 200, 200, 200, 200, 201])
    const { id, hash } = await fileOf(by, 'lost.zip')
    assert.equal(hash, sha256(content))
    assert.equal(sha256(await bytesAt(by, `/attachments/${id}/download`)), sha256(content))
    await page.getByRole('row').filter({ hasText: 'lost.zip' }).waitFor()
  })

  it('one chunk that is lost is sent again by itself', async () => {
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/files')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const forms = formsOf(page)
    await context.route('**/attachments/upload', (route) => route.abort('connectionreset'), { times: 1 })
    await choose(page, 'reset.zip', zip(3.2 * megabyte))
    await lineOf(page, 'reset.zip').getByText('Has arrived').waitFor()
    await until(() => forms.length >= 4)
    assert.deepEqual(forms.toSorted(), [200, 200, 200, 201])
  })

  it('of a file that was changed since are no network that is lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-changed-'))
    try {
      const file = join(folder, 'changed.zip')
      await writeFile(file, zip(3 * megabyte))
      const context = await acts.signedIn(demoOwner(acts.stage))
      const page = await acts.tab(context, '/files')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const forms = formsOf(page)
      const giveBack = await keepBack(context, 1)
      await page.getByLabel('Upload', { exact: true }).setInputFiles(file)
      await until(() => forms.length === 1)
      await writeFile(file, 'something else')
      await giveBack()
      await lineOf(page, 'changed.zip')
        .getByText('The file can no longer be read. It may have been moved, or changed.')
        .waitFor()
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are paused, go on after a reload with what is missing, come at once the second time, and are given up', async () => {
    const by = await owner()
    const used = async () =>
      (dataOf(await by.get('/attachments/upload-rules'))['quota'] as unknown as { readonly used: number }).used
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/files')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const forms = formsOf(page)
    const content = zip(4.5 * megabyte)
    const giveBack = await keepBack(context, 2)
    await choose(page, 'paused.zip', content)
    await until(() => forms.length === 2)
    await page.getByRole('button', { name: 'Pause paused.zip' }).click()
    await lineOf(page, 'paused.zip').getByText('Paused', { exact: true }).waitFor()
    await giveBack()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await choose(page, 'paused.zip', content)
    const line = lineOf(page, 'paused.zip')
    await line.getByText('Has arrived').waitFor()
    await until(() => forms.length >= 5)
    assert.equal(forms.length, 5)
    assert.equal((await fileOf(by, 'paused.zip')).hash, sha256(content))

    await choose(page, 'again.zip', content)
    await lineOf(page, 'again.zip').getByText('Was there already').waitFor()
    assert.equal(forms.length, 5)

    const before = await used()
    const release = await keepBack(context, 1)
    await choose(page, 'unwanted.zip', zip(3 * megabyte))
    await until(() => forms.length === 6)
    assert.equal(await used(), before + 3 * megabyte)
    await page.getByRole('button', { name: 'Cancel unwanted.zip' }).click()
    await lineOf(page, 'unwanted.zip').waitFor({ state: 'detached' })
    await until(async () => (await used()) === before)
    await release()
    await page.getByRole('button', { name: 'Take again.zip off the list' }).click()
    await lineOf(page, 'again.zip').waitFor({ state: 'detached' })
  })

  it('become documents of a knowledge base, go with a message as what they show, and a package that is none is told', async () => {
    const by = await owner()
    const { id } = dataOf(await by.post('/admin/ai/knowledge-bases', { name: 'Dropped' }), 201)
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, `/tenant/knowledge-bases/${textOf(id)}`)
    const documents = page.locator('input[type="file"]').and(page.getByLabel('Add files'))
    await documents.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: zip(20) })
    await lineOf(page, 'a.zip')
      .getByText(/^a\.zip is of a kind that is not taken here\. Taken are: txt, md/)
      .waitFor()
    const forms = formsOf(page)
    const giveBack = await keepBack(context, 1)
    const words = Buffer.from('# Heliotrope\n\nA purple flower. '.repeat(60_000))
    await documents.setInputFiles({ name: 'flower.md', mimeType: 'text/markdown', buffer: words })
    await until(() => forms.length === 1)
    await page.getByRole('button', { name: 'Pause flower.md' }).click()
    await lineOf(page, 'flower.md').getByText('Paused', { exact: true }).waitFor()
    await giveBack()
    await page.getByRole('button', { name: 'Go on with flower.md' }).click()
    await lineOf(page, 'flower.md').getByText('Has arrived').waitFor()
    await until(() => forms.length >= 2)
    assert.equal(forms.length, 2)
    await page.getByRole('row').filter({ hasText: 'flower.md' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.goto(acts.at('/chat'))
    const files = page.getByRole('list', { name: 'Files' })
    const buffer = await picture(30, 30).png().toBuffer()
    const attach = page.locator('input[type="file"]').and(page.getByLabel('Attach files'))
    await attach.setInputFiles([
      { name: 'shown.png', mimeType: 'image/png', buffer },
      { name: 'program.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
    ])
    const shown = files.getByRole('listitem').filter({ hasText: 'shown.png' }).locator('img')
    await until(async () => (await naturalWidthOf(shown)) === 30)
    await files.getByText(/^program\.exe is of a kind/).waitFor()
    await page.getByRole('button', { name: 'Try program.exe again' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])

    const plugins = await acts.tab(await acts.signedIn(), '/admin/plugins')
    const packages = plugins.locator('input[type="file"]').and(plugins.getByLabel('Upload a package'))
    await packages.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('none') })
    await plugins.getByText('notes.txt is no package: packages are files that end in .zip.').waitFor()
  })

  it('what would be refused is told in words before any of it is sent', async () => {
    const staff = await acts.stage.staff()
    // Somebody without a file, who has all the room there is.
    const who = { account: 'roomy@demo.test', password: 'a long enough passphrase', tenant_code: 'demo' }
    const user = { email: who.account, password: who.password, roles: ['tenant_owner'] }
    dataOf(await (await owner()).post('/tenant/users', user), 201)
    const page = await acts.tab(await acts.signedIn(who), '/files')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
    await choose(page, 'program.exe', Buffer.from('MZ'))
    await lineOf(page, 'program.exe')
      .getByText(/^program\.exe is of a kind that is not taken here\. Taken are: /)
      .waitFor()
    dataOf(await staff.put(group, { max_file_size_mb: 1 }))
    await choose(page, 'large.zip', zip(1.5 * megabyte))
    await lineOf(page, 'large.zip').getByText('large.zip has 1.5 MiB; at most 1 MiB are taken.').waitFor()
    dataOf(await staff.put(group, { max_file_size_mb: 50, user_quota_mb: 1 }))
    try {
      await choose(page, 'roomy.zip', zip(1.5 * megabyte))
      await lineOf(page, 'roomy.zip').getByText('roomy.zip has 1.5 MiB; you have room for 1 MiB.').waitFor()
    } finally {
      dataOf(await staff.put(group, { user_quota_mb: 1024 }))
    }
    assert.deepEqual(
      posts.filter((path) => path.startsWith('/attachments')),
      [],
    )
    await page.getByRole('button', { name: 'Try roomy.zip again' }).click()
    await lineOf(page, 'roomy.zip').getByText('Has arrived').waitFor()
  })
})

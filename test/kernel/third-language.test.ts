import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { startKernel } from '#kernel'
import type { texts } from '../../core-plugins/tenants/texts/texts.ts'
import { startTestKernel } from '../support/kernel.ts'

const root = path.join(import.meta.dirname, '..', '..')
const line = "export const locales = ['en', 'zh-CN'] as const"

/** What a translator does: one word in the list of languages, and a file of texts in each folder that has some already. */
async function addGerman(copy: string): Promise<void> {
  const list = path.join(copy, 'kernel/locale/locales.ts')
  const before = await readFile(list, 'utf8')
  assert.ok(before.includes(line))
  await writeFile(list, before.replace(line, "export const locales = ['en', 'zh-CN', 'de'] as const"))
  const errors = "export const errors = { route_not_found: 'Diesen Endpunkt gibt es nicht' }\n"
  await writeFile(path.join(copy, 'kernel/texts/de.ts'), errors)
  const tenants = "export const texts = { 'dns.txt': 'TXT-Eintrag {txtName} mit dem Wert {txtValue} anlegen' }\n"
  await writeFile(path.join(copy, 'core-plugins/tenants/texts/de.ts'), tenants)
}

describe('a third language', () => {
  let copy: string
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(path.join(copy, file)).href)

  before(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'stoa-german-'))
    for (const part of ['package.json', 'kernel', 'core-plugins/tenants/texts']) {
      await cp(path.join(root, part), path.join(copy, part), { recursive: true })
    }
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    await addGerman(copy)
  })
  after(() => rm(copy, { recursive: true, force: true }))

  it('is spoken by a kernel where it has a text, and is English elsewhere', async () => {
    const { startKernel: start } = (await load('kernel/index.ts')) as { startKernel: typeof startKernel }
    await using host = await startTestKernel({ plugins: [], start })
    const message = async (language: string, headers: Readonly<Record<string, string>> = {}) => {
      const options = { headers: { 'accept-language': language, ...headers } }
      return (await host.request('GET', '/nowhere', options)).body['message']
    }
    assert.deepEqual(
      [
        await message('de-AT, en;q=0.5'),
        await message('zh'),
        await message('fr'),
        await message('de', { 'api-version': '99' }),
      ],
      [
        'Diesen Endpunkt gibt es nicht',
        '接口不存在',
        'There is no such endpoint',
        'There is no version 99 of this interface',
      ],
    )
  })

  it('is told by the texts of a plugin where it has one, and is English elsewhere', async () => {
    const module = (await load('core-plugins/tenants/texts/texts.ts')) as { texts: typeof texts }
    const values = { txtName: '_stoa', txtValue: '1' }
    assert.deepEqual(
      [
        module.texts.tell('dns.txt', 'de', values),
        module.texts.tell('dns.proxy', 'de'),
        module.texts.of('plugin.title'),
      ],
      [
        'TXT-Eintrag _stoa mit dem Wert 1 anlegen',
        'If your DNS proxy is on, switch it off until verified',
        { default: 'Tenants', 'zh-CN': '租户' },
      ],
    )
  })
})

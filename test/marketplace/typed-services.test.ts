import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectPlugin } from '../../marketplace/inspect/inspect-plugin.ts'
import { loadPlugin } from '../../marketplace/testing.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'
import { stoa } from './run-stoa.ts'
import { all, contact, find, manifest, provider, provides, right, route } from './typed-services-plugins.ts'

describe('services of other plugins, typed for who calls them', () => {
  let workshop: IndexWorkshop
  let shop = ''
  let old = ''

  before(async () => {
    workshop = await makeIndexWorkshop()
    shop = join(workshop.path, 'shop')
    await mkdir(join(shop, 'src'), { recursive: true })
    await write('manifest.json', JSON.stringify(manifest, null, 2))
    await write('src/index.ts', route(right))
    old = await workshop.pack(provides('1.2.0'), 'acme-1', provider)
    for (const version of ['1.2.0', '1.3.0', '2.0.0']) {
      const zip = version === '1.2.0' ? old : await workshop.pack(provides(version), 'acme-1', provider)
      deepEqual((await workshop.run('publish', zip, '--index', 'index')).exitCode, 0)
    }
    equal((await workshop.run('index', 'build', 'index', '--key', 'index.index-1.key.json')).exitCode, 0)
    equal((await copy('acme.crm@index')).exitCode, 0)
  })
  after(() => workshop[Symbol.asyncDispose]())

  const write = (file: string, text: string): Promise<void> => writeFile(join(shop, file), text)
  const copy = (reference: string) => stoa(workshop.path, 'types', 'shop', '--service', reference)
  const findings = async () =>
    (await inspectPlugin(shop, { isLoaded: false, hasTests: true })).findings
      .filter(({ level }) => level === 'error')
      .map(({ rule, file, line, message }) => ({ at: `${rule} ${file}:${line}`, message }))

  it('are any call as long as there is no copy of them', async () => {
    await rm(join(shop, 'services'), { recursive: true })
    await write('src/index.ts', route(`return ctx.services.call('acme.crm/contacts', 'whatever', { id: 'x' })`))
    deepEqual(await findings(), [])
    equal((await copy('acme.crm@index')).exitCode, 0)
  })

  for (const [what, reference, version] of [
    ['a folder', () => 'plugin-1', '1.2.0'],
    ['a package', () => 'plugin-1.zip', '1.2.0'],
    ['an index, the newest release that fits', () => 'acme.crm@index', '1.3.0'],
  ] as const)
    it(`are copied from ${what}, those alone that the manifest uses and nothing of how they are done`, async () => {
      await rm(join(shop, 'services'), { recursive: true, force: true })
      const { exitCode, stdout, stderr } = await copy(reference())
      deepEqual([exitCode, stderr], [0, ''])
      match(stdout, new RegExp(`^Copied acme.crm/contacts ${version} to shop/services/acme.crm.json\n`))
      const methods = [
        { name: 'find', input: find.input, output: contact },
        { name: 'all', input: all.input },
      ]
      deepEqual(JSON.parse(await readFile(join(shop, 'services/acme.crm.json'), 'utf8')), {
        ...{ plugin: 'acme.crm', release: version },
        services: [{ name: 'contacts', version, methods }],
      })
    })

  it('say what is missing where nothing can be copied, and keep what is there', async () => {
    const before = await readFile(join(shop, 'services/acme.crm.json'), 'utf8')
    const refused = async (reference: string, code: number, says: RegExp): Promise<void> => {
      const { exitCode, stderr } = await copy(reference)
      equal(exitCode, code, reference)
      match(stderr, says)
    }
    await refused('nowhere', 2, /no plugin nowhere/)
    await refused('acme.cmr@index', 1, /Did you mean acme.crm\?/)
    await refused('plugin-3', 1, /acme.crm 2.0.0 provides acme.crm\/contacts 2.0.0, which \^1.0.0 does not take/)
    await refused('shop', 1, /acme.shop 1.0.0 provides no service/)
    await write('manifest.json', JSON.stringify({ ...manifest, uses: { 'acme.other/x': '*' } }))
    await refused(
      'plugin-1',
      1,
      /put \{ "acme.crm\/contacts": "\^1.2.0", "acme.crm\/other": "\^1.2.0" \} into its uses/,
    )
    await write('manifest.json', JSON.stringify(manifest, null, 2))
    equal(await readFile(join(shop, 'services/acme.crm.json'), 'utf8'), before)
  })

  it('make a wrong call an error with its line, and a right one none', async () => {
    await write('src/index.ts', route(right))
    deepEqual(await findings(), [])
    for (const [call, at, says] of [
      [`return ctx.services.call('acme.crm/contacts', 'find', { id: 'x' })`, 'types', /string.*number/],
      [`return ctx.services.call('acme.crm/contacts', 'find', {})`, 'types', /id/],
      [`return ctx.services.call('acme.crm/contacts', 'find')`, 'types', /arguments/],
      [`return ctx.services.call('acme.crm/contacts', 'find', { id: 1, more: 2 })`, 'types', /more/],
      [`return (await ctx.services.call('acme.crm/contacts', 'find', { id: 1 })).email`, 'types', /email/],
      [`return ctx.services.call('acme.crm/contacts', 'fnid', { id: 1 })`, 'unknown_method', /Did you mean find\?/],
      [`return ctx.services.call('acme.crm/other', 'all')`, 'unknown_service', /uses of the manifest has|Did you mean/],
    ] as const) {
      await write('src/index.ts', route(call))
      const [first, ...more] = await findings()
      deepEqual([first?.at, more], [`${at} src/index.ts:6`, []], call)
      match(first?.message ?? '', says)
    }
    await write('src/index.ts', route(right))
  })

  it('are held to the range of the manifest, and to being copies', async () => {
    const file = 'services/acme.crm.json'
    const before = await readFile(join(shop, file), 'utf8')
    await write('manifest.json', JSON.stringify({ ...manifest, uses: { 'acme.crm/contacts': '^2.0.0' } }, null, 2))
    const line = (await readFile(join(shop, 'manifest.json'), 'utf8'))
      .split('\n')
      .findIndex((text) => text.includes('"^2.0.0"'))
    const [unfit, ...more] = await findings()
    deepEqual([unfit?.at, more], [`service_version manifest.json:${line + 1}`, []])
    match(unfit?.message ?? '', /1\.3\.0, which \^2\.0\.0 does not take/)
    await write('manifest.json', JSON.stringify({ ...manifest, uses: { 'acme.crm/gone': '^1.0.0' } }, null, 2))
    ok((await findings()).some(({ at }) => at.startsWith('service_absent manifest.json')))
    await write('manifest.json', JSON.stringify(manifest, null, 2))
    for (const [broken, says] of [
      ['{', /JSON/],
      ['[]', /no copy/],
      [before.replace('"integer"', '"whole"'), /services\.0\.methods\.0\.input/],
      [before.replace('"acme.crm"', '"acme.crn"'), /name the file so/],
    ] as const) {
      await write(file, broken)
      const told = (await findings()).filter(({ at }) => at.startsWith(`service_copy ${file}:`))
      equal(told.length, 1, JSON.stringify(told))
      match(told[0]?.message ?? '', says)
    }
    await write(file, before)
    deepEqual(await findings(), [])
  })

  it('are answered by a test as they would be, or not at all', async () => {
    const answer = async (given: object, call = right) => {
      await write(
        'src/index.ts',
        route(
          `try { ${call} } catch (error) { return { failed: (error as { details?: { reason?: string } }).details?.reason ?? 'invalid' } }`,
        ),
      )
      await using plugin = await loadPlugin(shop, { services: given })
      return { data: (await plugin.request('POST /buyer')).data, asked: plugin.asked.length }
    }
    const ann = { name: 'Ann', kind: 'person' }
    deepEqual(await answer({ 'acme.crm/contacts.find': ann, 'acme.crm/contacts.all': [] }), {
      data: { name: 'ANN', kind: 'person', tags: 0 },
      asked: 2,
    })
    const echo = (input: unknown): object => ({ ...ann, tags: [JSON.stringify(input)] })
    const filled = await answer(
      { 'acme.crm/contacts.find': echo },
      `return { is: (await ctx.services.call('acme.crm/contacts', 'find', { id: 7 })).tags }`,
    )
    deepEqual(filled.data, { is: ['{"id":7,"deep":false}'] })
    const wrong = await answer({ 'acme.crm/contacts.find': { name: 'Ann' } })
    deepEqual(wrong.data, { failed: 'service_answer_invalid' })
    const bad = `return await ctx.services.call('acme.crm/contacts', 'find', { id: 'x' } as never)`
    deepEqual((await answer({ 'acme.crm/contacts.find': ann }, bad)).data, { failed: 'validation_failed' })
    deepEqual((await answer({})).data, { failed: 'service_unavailable' })
    await write('src/index.ts', route(right))
  })

  it('that a release takes away or changes are told by stoa diff', async () => {
    const rows = async (before: string, after: string) =>
      (await stoa(workshop.path, 'diff', before, after)).stdout
        .split('\n')
        .filter((line) => line.includes(' provided '))
        .map((line) => line.trim().replace(/\s{2,}/g, ' '))
    const less = await workshop.pack(
      { ...provides('1.4.0'), provides: { services: [{ name: 'contacts', version: '1.4.0', methods: [find] }] } },
      'acme-1',
      provider,
    )
    const leaves = 'leaves those without it that use'
    deepEqual(await rows('plugin-1.zip', less), [
      '~ provided service acme.crm/contacts 1.2.0 → 1.4.0',
      `- provided method acme.crm/contacts.all ${leaves} acme.crm/contacts 1.2.0`,
      `- provided service acme.crm/other ${leaves} acme.crm/other 1.2.0`,
    ])
    deepEqual(await rows('plugin-1.zip', 'plugin-3.zip'), [
      `~ provided service acme.crm/contacts 1.2.0 → 2.0.0: ${leaves} ^1.2.0`,
      `~ provided service acme.crm/other 1.2.0 → 2.0.0: ${leaves} ^1.2.0`,
    ])
    deepEqual(await rows('plugin-1', 'plugin-1.zip'), [])
  })

  it('are typed in tests as well', async () => {
    await mkdir(join(shop, 'test'))
    const test = (answers: string): string => `import { loadPlugin } from '@stoa/plugin-sdk/testing'
await loadPlugin('.', { services: { ${answers} } })
`
    await write(
      'test/shop.test.ts',
      test(`'acme.crm/contacts.find': ({ id }) => ({ name: String(id), kind: 'person' })`),
    )
    deepEqual(await findings(), [])
    for (const wrong of [`'acme.crm/contacts.find': { name: 'Ann' }`, `'acme.crm/contacts.fnid': null`]) {
      await write('test/shop.test.ts', test(wrong))
      const [first] = await findings()
      equal(first?.at, 'types test/shop.test.ts:2', wrong)
    }
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { bringUpToDate } from '../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../core-plugins/console/build/folders.ts'
import { packPackages } from '../../marketplace/distribution/pack-packages.ts'
import { makeScratch } from './sample-package.ts'

const checkout = resolve(import.meta.dirname, '../..')
const builtIn = /^(node:|#|stoa:)/

describe('the npm packages of authors', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let cli = ''
  let sdk = ''
  before(async () => {
    await bringUpToDate(consoleFolders)
    scratch = await makeScratch()
    const files = await packPackages(checkout, join(scratch.path, 'packages'))
    deepEqual(
      files.map((file) => file.slice(dirname(file).length + 1)),
      ['stoa-plugin-sdk-1.0.0.tgz', 'stoa-cli-1.0.0.tgz'],
    )
    const modules = join(scratch.path, 'node_modules')
    for (const name of ['plugin-sdk', 'cli']) {
      await mkdir(join(modules, '@stoa', name), { recursive: true })
      const tarball = join(scratch.path, `packages/stoa-${name}-1.0.0.tgz`)
      await run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, '@stoa', name)], scratch.path)
    }
    cli = join(modules, '@stoa/cli')
    sdk = join(modules, '@stoa/plugin-sdk')
  })
  after(() => scratch[Symbol.asyncDispose]())

  it('import nothing but themselves and what they depend on', async () => {
    const about = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8')) as Record<string, object>
    const declared = { ...about['dependencies'], ...about['optionalDependencies'] }
    const astray: string[] = []
    for await (const path of glob('**/*.js', { cwd: cli })) {
      // Browsers load these, from the platform.
      if (/^core-plugins\/console\/dist\/|^marketplace\/templates\/[^/]+\/ui\//.test(path)) continue
      const { importedFiles } = ts.preProcessFile(await readFile(join(cli, path), 'utf8'), true, true)
      for (const { fileName } of importedFiles) {
        const name = /^(@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? ''
        const isThere = fileName.startsWith('.')
          ? existsSync(resolve(cli, dirname(path), fileName))
          : builtIn.test(fileName) || name in declared
        if (!isThere) astray.push(`${path} → ${fileName}`)
      }
    }
    deepEqual(astray, [])
    for await (const path of glob('**/*.d.ts', { cwd: sdk })) {
      const { importedFiles } = ts.preProcessFile(await readFile(join(sdk, path), 'utf8'), true, true)
      for (const { fileName } of importedFiles)
        ok(existsSync(resolve(sdk, dirname(path), fileName.replace(/\.js$/, '.d.ts'))), `${path} → ${fileName}`)
    }
  })

  it('hold no core plugin that a platform for trying plugins can do without', async () => {
    const there = new Set(await readdir(join(cli, 'core-plugins')))
    for (const name of ['backup', 'knowledge', 'mcp', 'memory', 'retention', 'webhooks']) ok(!there.has(name), name)
    ok(there.has('plugins') && there.has('console'))
  })

  it('hold the console as it was built, and nothing of the builds before', async () => {
    const dist = join(cli, 'core-plugins/console/dist')
    const { files } = JSON.parse(await readFile(join(dist, 'build.json'), 'utf8')) as { readonly files: object }
    const there = await Array.fromAsync(glob('**/*.*', { cwd: dist }))
    deepEqual(there.sort(), [...Object.keys(files), 'build.json'].sort())
  })

  it('make, check and test a plugin without this checkout', async () => {
    // What npm would install: of the same versions, from here.
    for (const name of await readdir(join(checkout, 'node_modules')))
      if (!name.startsWith('.'))
        await symlink(join(checkout, 'node_modules', name), join(scratch.path, 'node_modules', name))
    const stoa = (...args: string[]): Promise<string> =>
      run(process.execPath, [join(cli, 'marketplace/bin/stoa.js'), ...args], scratch.path)
    await stoa('create', 'you.hello', '--packages', 'packages')
    const plugin = join(scratch.path, 'you-hello')
    const about = JSON.parse(await readFile(join(plugin, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
      devDependencies: Record<string, string>
    }
    deepEqual([about.scripts['test'], about.scripts['dev']], ['stoa test', 'stoa dev'])
    deepEqual(about.devDependencies, {
      '@stoa/cli': 'file:../packages/stoa-cli-1.0.0.tgz',
      '@stoa/plugin-sdk': 'file:../packages/stoa-plugin-sdk-1.0.0.tgz',
    })
    ok(/ passing/.test(await stoa('test', 'you-hello')))
    equal((await stoa('validate', 'you-hello')).split('\n')[0], 'you.hello 0.1.0 is valid.')
    await writeFile(join(plugin, 'src/wrong.ts'), source)
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc')
    const { stdout } = await failing(process.execPath, [tsc, '--noEmit', '-p', '.'], plugin)
    deepEqual(
      stdout.match(/^src\/wrong\.ts\(\d+/gm)?.map((at) => Number(/\d+/.exec(at)?.[0])),
      [3, 4, 5, 6, 7],
    )
  })
})

/** One mistake a line, from the third on. */
const source = `import type { Handler } from '@stoa/plugin-sdk'
export const wrong: Handler = async (_, ctx, db) => {
  await db.table('notez')
  await ctx.config.get('page_sise')
  await ctx.events.publish('you.hello.no', null)
  ctx.t('helo')
  ctx.user?.permissions.includes('reed')
}
`

function run(file: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((settle, reject) => {
    execFile(file, args, { cwd }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : settle(stdout),
    )
  })
}

function failing(file: string, args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return new Promise((settle) => {
    execFile(file, args, { cwd }, (_, stdout) => settle({ stdout }))
  })
}

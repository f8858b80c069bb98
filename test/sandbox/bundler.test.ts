import { match } from 'node:assert/strict'
import { createRequire } from 'node:module'
import { chmod, copyFile } from 'node:fs/promises'
import path from 'node:path'
import { runBundler } from '#sandbox'
import { makeScratch } from '../marketplace/sample-package.ts'

const here = createRequire(import.meta.url)

describe('the bundler', () => {
  it('is run as a script of Node, and as the binary that its install script puts in that place', async () => {
    await using scratch = await makeScratch()
    const args = ['--version']
    const version = await runBundler(args, 1_000)
    match(version, /^\d+\.\d+\.\d+\s*$/)
    const native = path.join(scratch.path, 'esbuild')
    await copyFile(here.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`), native)
    await chmod(native, 0o755)
    match(await runBundler(args, 1_000, native), /^\d+\.\d+\.\d+\s*$/)
  })
})

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compileProgram } from './compile-program.ts'
import { describeCli, describeSdk, readCheckoutPackage } from './describe-packages.ts'
import { cliReadme, sdkReadme } from './readmes.ts'
import { writeSdk } from './write-sdk.ts'

const run = promisify(execFile)

/** Makes `@stoa/cli` and `@stoa/plugin-sdk` of a checkout, as tarballs that npm installs and publishes; answers with their files. */
export async function packPackages(checkout: string, out: string): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'stoa-packages-'))
  try {
    const known = await readCheckoutPackage(checkout)
    const [cli, sdk] = [join(scratch, 'cli'), join(scratch, 'sdk')]
    await mkdir(cli)
    const files = await compileProgram(checkout, cli)
    await writeSdk(checkout, sdk)
    const named = files.flatMap(({ packages }) => packages)
    await describe(cli, describeCli(known, named), cliReadme, checkout)
    await describe(sdk, describeSdk(known), sdkReadme, checkout)
    await mkdir(out, { recursive: true })
    return [await pack(sdk, out), await pack(cli, out)]
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function describe(folder: string, about: object, readme: string, checkout: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
  await writeFile(join(folder, 'README.md'), readme)
  await cp(join(checkout, 'LICENSE'), join(folder, 'LICENSE'))
}

async function pack(folder: string, out: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    maxBuffer: 16_777_216,
  })
  const [packed] = JSON.parse(stdout) as { readonly filename: string }[]
  if (!packed) throw new Error(`npm pack made nothing of ${folder}`)
  return join(out, packed.filename)
}

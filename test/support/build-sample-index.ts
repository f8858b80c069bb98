import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../marketplace/cli.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const keys = join(fixtures, 'keys')
const published = '2026-03-02T09:00:00Z'
const upgraded = '2026-06-01T09:00:00Z'
/** Ten years, so that the sample is fresh for as long as anybody tries it. */
const expires = '3650'

const tellRecorder = `import type { Handler } from '@stoa/plugin-sdk'
import { recordSales } from './sales.ts'

/** Records sales and tells whoever did it, who may have closed the page by then. */
export const recordAndTell: Handler<Parameters<typeof recordSales>[0]['body']> = async (request, ctx, db) => {
  const answer = await recordSales(request, ctx, db)
  if (ctx.user && ctx.can('notify')) await ctx.notify.send({ userId: ctx.user.id, title: 'Sales', body: 'Your sales are recorded.' })
  return answer
}
`

/** Builds the sample index into a folder that is new or empty, out of the sample plugins and with the command line alone; the same every time. */
export async function buildSampleIndex(target: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'stoa-sample-'))
  try {
    const key = (name: string): string => join(keys, `sample-${name}-1.key.json`)
    const publicKey = (name: string): string => join(keys, `sample-${name}-1.pub.json`)
    const sign = ['--key', key('index'), '--expires-days', expires]
    await stoa('index', 'init', target, '--title', 'Sample plugins', ...sign, '--created', published)
    await stoa(
      'index',
      'add-publisher',
      'acme',
      publicKey('acme'),
      '--level',
      'verified',
      '--title',
      'Acme',
      '--index',
      target,
    )
    await stoa(
      'index',
      'add-publisher',
      'stoa',
      publicKey('stoa'),
      '--level',
      'official',
      '--title',
      'Stoa',
      '--index',
      target,
    )
    const publish = async (folder: string, publisher: string, at: string): Promise<void> => {
      const zip = join(scratch, 'pkg.zip')
      await stoa('pack', folder, '--out', zip, '--sign', key(publisher))
      await stoa('publish', zip, '--index', target, '--published', at)
    }
    const plugin = (name: string): string => join(fixtures, 'plugins', name)
    await publish(plugin('guestbook'), 'acme', published)
    await publish(plugin('captcha-pow'), 'stoa', published)
    await publish(plugin('reports'), 'acme', published)
    await publish(await writeUpgrade(plugin('reports'), join(scratch, 'reports')), 'acme', upgraded)
    const revocation = ['--versions', '<1.1.0', '--action', 'warn', '--severity', 'low']
    const reason = 'Whoever records sales is not told when the page is closed early.'
    await stoa('index', 'revoke', 'acme.reports', ...revocation, '--reason', reason, '--index', target)
    await stoa('index', 'build', target, '--no-site', ...sign, '--generated', upgraded)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Version 1.1.0 of the reports, which asks for one capability more. */
async function writeUpgrade(from: string, folder: string): Promise<string> {
  await cp(from, folder, { recursive: true })
  const change = async (path: string, replace: (text: string) => string): Promise<void> => {
    const text = await readFile(join(folder, path), 'utf8')
    const changed = replace(text)
    if (changed === text) throw new Error(`${path} of the sample is another than it was`)
    await writeFile(join(folder, path), changed)
  }
  await writeFile(join(folder, 'src/tell-recorder.ts'), tellRecorder)
  await change('src/index.ts', (text) =>
    text
      .replace(
        "import { readStats, recordSales } from './sales.ts'",
        "import { readStats } from './sales.ts'\nimport { recordAndTell } from './tell-recorder.ts'",
      )
      .replace('{ recordSales,', '{ recordSales: recordAndTell,'),
  )
  await change('manifest.json', (text) => {
    const manifest = JSON.parse(text) as { capabilities: string[]; reasons: Record<string, string> }
    const capabilities = [...manifest.capabilities, 'notify']
    const reasons = { ...manifest.reasons, notify: 'Tells whoever recorded sales that they are kept.' }
    return `${JSON.stringify({ ...manifest, version: '1.1.0', capabilities, reasons }, null, 2)}\n`
  })
  await change('CHANGELOG.md', (text) =>
    text.replace(
      '## 1.0.0',
      '## 1.1.0\n\n- Whoever records sales is told when they are kept. Asks for `notify`.\n\n## 1.0.0',
    ),
  )
  return folder
}

async function stoa(...args: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runCommandLine(args)
  if (exitCode !== 0) throw new Error(`stoa ${args.join(' ')}: ${stderr || stdout}`)
}

if (import.meta.main) {
  const target = join(fixtures, 'index')
  await rm(target, { recursive: true, force: true })
  await buildSampleIndex(target)
}

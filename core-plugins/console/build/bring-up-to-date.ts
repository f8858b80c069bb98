import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { platformVersion } from '#kernel'
import { compress } from './compress.ts'
import { publish, readBuild } from './dist-folder.ts'
import type { ConsoleFolders } from './folders.ts'
import { nameOfBuild } from './inputs.ts'

/** What of Vite is used; its own types would bring those of browsers into every file of the platform. */
interface Bundler {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/** Builds the console where what is there was made of other sources; throws what the builder says of sources that have a fault. */
export async function bringUpToDate(folders: ConsoleFolders): Promise<'current' | 'built'> {
  const build = await nameOfBuild(folders)
  if ((await readBuild(folders.dist))?.build === build) return 'current'
  const next = path.join(folders.dist, `.next-${process.pid}`)
  await mkdir(next, { recursive: true })
  try {
    const { build: bundle } = (await import(import.meta.resolve('vite'))) as Bundler
    await bundle({
      configFile: path.join(folders.web, 'vite.config.ts'),
      configLoader: 'native',
      root: folders.web,
      logLevel: 'error',
      build: { outDir: next, emptyOutDir: false },
    })
    await nameBuild(next, build)
    await publish(next, folders.dist, { build, version: platformVersion, files: await compress(next) })
  } finally {
    await rm(next, { recursive: true, force: true })
  }
  return 'built'
}

/** Says in the page of which build it is, so that its tab can tell when the server has another one. */
async function nameBuild(next: string, build: string): Promise<void> {
  const page = path.join(next, 'index.html')
  const text = await readFile(page, 'utf8')
  await writeFile(page, text.replace('</head>', `<meta name="stoa-build" content="${build}"></head>`))
}

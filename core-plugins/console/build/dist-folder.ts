import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What a build made: its files by path below the folder, the compressed ones too. */
export interface BuildRecord {
  readonly build: string
  readonly version: string
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

/** How many builds before the present one keep their assets, for tabs that are open. */
const kept = 2

/** What the folder holds now; undefined when nothing was built, or what was cannot be read. */
export async function readBuild(dist: string): Promise<BuildRecord | undefined> {
  return (await readBuilds(dist))[0]
}

/** The present build and those before it whose assets are kept. */
export async function readBuilds(dist: string): Promise<readonly BuildRecord[]> {
  try {
    const present = JSON.parse(await readFile(path.join(dist, 'build.json'), 'utf8')) as BuildRecord
    return [present, ...(await readEarlier(dist)).filter(({ build }) => build !== present.build)].slice(0, kept + 1)
  } catch {
    return []
  }
}

/** What is another one after each build; undefined when nothing was built. */
export async function markOfBuild(dist: string): Promise<string | undefined> {
  const there = await stat(path.join(dist, 'build.json')).catch(() => undefined)
  return there && `${there.ino} ${there.mtimeMs}`
}

/**
 * Puts what was made next door in its place: assets first, whose names are their contents', then the page, and the record last, so
 * that whoever reads at any moment finds a whole build.
 */
export async function publish(next: string, dist: string, record: BuildRecord): Promise<void> {
  const earlier = (await readBuilds(dist)).filter(({ build }) => build !== record.build).slice(0, kept)
  await mkdir(path.join(dist, 'assets'), { recursive: true })
  const assets = Object.keys(record.files).filter((file) => file.startsWith('assets/'))
  for (const file of assets) await rename(path.join(next, file), path.join(dist, file))
  for (const file of Object.keys(record.files)) {
    if (!file.startsWith('assets/')) await rename(path.join(next, file), path.join(dist, file))
  }
  await replace(path.join(dist, 'earlier.json'), JSON.stringify(earlier))
  await replace(path.join(dist, 'build.json'), JSON.stringify(record))
  await rm(next, { recursive: true, force: true })
  await prune(dist, [record, ...earlier])
}

async function readEarlier(dist: string): Promise<readonly BuildRecord[]> {
  const file = path.join(dist, 'earlier.json')
  if (!(await stat(file).catch(() => undefined))) return []
  return JSON.parse(await readFile(file, 'utf8')) as readonly BuildRecord[]
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, file)
}

/** Takes away the assets of builds that are too long ago. */
async function prune(dist: string, builds: readonly BuildRecord[]): Promise<void> {
  const wanted = new Set(builds.flatMap(({ files }) => Object.keys(files)))
  for (const name of await readdir(path.join(dist, 'assets'))) {
    if (!wanted.has(`assets/${name}`)) await rm(path.join(dist, 'assets', name), { force: true })
  }
}

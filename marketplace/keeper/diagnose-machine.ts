import { access, constants, mkdir, mkdtemp, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { packPlugin } from '../pack.ts'
import { openPackage } from '../package/open.ts'
import { checkLoad } from './check-load.ts'
import { diagnose, type Diagnosis } from './diagnosis.ts'

const neededNode = 24
const roomBytes = 1_073_741_824

/** Looks at what every command and a platform stand on: Node, the bundler, the sandbox, the data folder. */
export async function diagnoseMachine(scratch: string, dataDir: string): Promise<readonly Diagnosis[]> {
  return [nodeVersion(), ...(await bundlerAndSandbox(scratch)), await dataFolder(resolve(dataDir))]
}

function nodeVersion(): Diagnosis {
  const what = 'node'
  if (Number.parseInt(process.versions.node, 10) >= neededNode) return { level: 'ok', what, says: process.version }
  return { level: 'fail', what, says: process.version, todo: `Install Node ${neededNode} or newer.` }
}

/** Packs the smallest plugin and loads it, which is all that authors and keepers ask of a machine. */
async function bundlerAndSandbox(scratch: string): Promise<readonly Diagnosis[]> {
  const folder = await mkdtemp(join(scratch, 'doctor-'))
  const zip = join(folder, 'pkg.zip')
  const bundler = await diagnose('esbuild', 'Run npm ci in the folder of Stoa.', async () => {
    await mkdir(join(folder, 'plugin/src'), { recursive: true })
    await writeFile(join(folder, 'plugin/manifest.json'), JSON.stringify(smallest))
    await writeFile(join(folder, 'plugin/src/index.ts'), 'export default { handlers: {} }\n')
    await packPlugin(join(folder, 'plugin'), { out: zip })
    return { level: 'ok', says: 'bundles and packs' }
  })
  if (bundler.level === 'fail') return [bundler]
  const sandbox = await diagnose(
    'sandbox',
    'Run npm ci in the folder of Stoa; isolated-vm has prebuilt binaries for Linux.',
    async () => {
      const began = performance.now()
      await checkLoad(await openPackage(zip, join(folder, 'release/tree')), folder)
      return { level: 'ok', says: `a plugin loads in ${Math.round(performance.now() - began)} ms` }
    },
  )
  return [bundler, sandbox]
}

async function dataFolder(folder: string): Promise<Diagnosis> {
  return diagnose(
    `data folder ${folder}`,
    'Give it to the user that runs the platform: chown, or another DATA_DIR.',
    async () => {
      const found = await stat(folder).catch(() => undefined)
      await access(found ? folder : dirname(folder), constants.R_OK | constants.W_OK | constants.X_OK)
      if (!found) return { level: 'ok', says: 'is made by the first start' }
      if (!found.isDirectory()) return { level: 'fail', says: 'is no folder', todo: 'Name another DATA_DIR.' }
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < roomBytes)
        return {
          level: 'warn',
          says: `has ${Math.floor((bavail * bsize) / 1_048_576)} MB left`,
          todo: 'Make room: backups and packages go there.',
        }
      const secrets = await stat(join(folder, 'secrets.json')).catch(() => undefined)
      if (secrets && (secrets.mode & 0o077) !== 0)
        return {
          level: 'warn',
          says: 'others can read secrets.json',
          todo: `chmod 600 ${join(folder, 'secrets.json')}`,
        }
      return { level: 'ok', says: 'can be written' }
    },
  )
}

const smallest = {
  ...{ manifestVersion: 1, name: 'stoa.doctor', version: '1.0.0', publisher: 'stoa', license: 'Apache-2.0' },
  ...{ title: { default: 'Doctor' }, description: { default: 'Does nothing.' } },
  ...{ engines: { host: '*' }, main: 'dist/index.js', scope: 'platform', capabilities: [] },
}

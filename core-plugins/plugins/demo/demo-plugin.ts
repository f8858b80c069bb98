import { access } from 'node:fs/promises'
import path from 'node:path'
import type { TenantResolver } from '#kernel'
import { packPlugin } from '#marketplace'
import type { JobKind } from '../../jobs/contract.ts'
import { firstConsent } from '../consent/consent-request.ts'
import { answerFirst } from '../enabling/consent.ts'
import { enablePlugin } from '../enabling/enable.ts'
import type { InstallNeeds } from '../install/needs.ts'
import { installNew } from '../install/install.ts'
import { admitUpload, type UploadNeeds } from '../releases/admit-upload.ts'
import { getRelease } from '../releases/release-archive.ts'
import type { EnableNeeds } from '../enabling/needs.ts'
import { findPlugin, getPlugin } from '../shared/find-plugin.ts'
import type { Assignments } from '../tenants/assignments.ts'

/** The kind of the job that installs it. */
export const demoPluginKind = 'plugins.demo'

const name = 'acme.shop-orders'
const source = path.join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'plugins', 'shop-orders')

type DemoNeeds = EnableNeeds & InstallNeeds & UploadNeeds

interface DemoParts {
  readonly parts: DemoNeeds
  readonly assignments: Assignments
  readonly tenants: Pick<TenantResolver, 'byCode'>
}

/**
 * Installs a sample plugin for the demo tenant of a first start, whose agent calls its tool: as a job, so that no start waits for it. A job that
 * is begun again goes on where it was; where the platform was installed without its samples there is nothing to do.
 */
export function createDemoJob({ parts, assignments, tenants }: DemoParts): JobKind {
  return {
    kind: demoPluginKind,
    async run() {
      const demo = await tenants.byCode('demo')
      if (!demo || !(await isThere())) return
      if (!(await findPlugin(parts.db, name))) await install(parts)
      const waiting = await getPlugin(parts.db, name)
      if (waiting.status === 'awaiting_consent') await allow(parts)
      await enablePlugin(parts, await getPlugin(parts.db, name), null)
      const plugin = await getPlugin(parts.db, name)
      await assignments.assign(plugin, [demo.id], null)
      await assignments.switchForTenant(plugin, demo.id, { enabled: true }, null)
    },
  }
}

async function install(parts: DemoNeeds): Promise<void> {
  const folder = await parts.staging.make()
  try {
    const [zip, tree] = [path.join(folder, 'pkg.zip'), path.join(folder, 'tree')]
    await packPlugin(source, { out: zip })
    await installNew(parts, await admitUpload(parts, { zip, tree }), null)
  } finally {
    await parts.staging.remove(folder)
  }
}

async function allow(parts: EnableNeeds): Promise<void> {
  const plugin = await getPlugin(parts.db, name)
  const { releaseHash, diffHash } = firstConsent(await getRelease(parts.db, plugin.activeRelease))
  await answerFirst(parts, plugin, { accept: true, releaseHash, diffHash }, null)
}

function isThere(): Promise<boolean> {
  return access(path.join(source, 'manifest.json')).then(
    () => true,
    () => false,
  )
}

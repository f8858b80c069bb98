import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sharedLaneOf } from '../../sandbox/supervisor/shared-lane.ts'
import type { Api } from '../support/api.ts'
import { startOperatorBackEnd } from '../support/back-end.ts'
import { operator, setUp } from '../support/first-run.ts'
import { startHostProcess, type HostProcess } from '../support/host-process.ts'
import { installPlugin, type Owner } from '../support/hostile-platform.ts'
import { packFixture, type Edit } from '../support/packages.ts'
import { createTenant, dataOf } from '../support/platform.ts'
import { neighbour, packNeighbour } from './neighbour.ts'
import { startServers, type Servers } from './servers.ts'

/** A real host, a neighbour in one tenant, and attackers in two others. */
export interface World extends AsyncDisposable {
  readonly host: HostProcess
  readonly servers: Servers
  readonly admin: Api
  /** Whoever uses the neighbour. */
  readonly good: Owner
  readonly evil: readonly Owner[]
  /** Installs a plugin for the attackers' tenants, which leaves with the attack. */
  install(name: string, content: Buffer): Promise<void>
  /** Installs the plugin that runs what it is sent, under a name that nobody knows yet, where the neighbour runs too. */
  attacker(edit?: Edit): Promise<string>
  /** Takes away what was installed since. */
  clear(): Promise<void>
}

const capabilities = ['http', 'http:any', 'storage', 'db:own_tables', 'config']
const reasons = Object.fromEntries(capabilities.map((capability) => [capability, 'To do much.']))
/** As much as an administrator lets any plugin have. */
const limits = { cpuMs: 5_000, wallMs: 8_000 }

/** Starts it; without another back end the host brings its own. */
export async function startWorld(): Promise<World> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-attacks-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const backEnd = started.use(await startOperatorBackEnd())
  const servers = started.use(await startServers())
  const { quick, drip, mute } = servers.ports
  const allowed = [`quick.example.com:${quick}`, `drip.example.com:${drip}`, `mute.example.com:${mute}`]
  const env = { ...backEnd.env, DNS_SERVERS: servers.dns.address, EGRESS_ALLOW_PRIVATE: allowed.join() }
  const host = started.use(await startHostProcess({ dataDir, env }))
  const { admin: first } = await setUp(host, dataDir)
  // Tokens have to outlive the run.
  dataOf(await first.put('/configs/groups/platform_security', { access_token_minutes: 120 }))
  const admin = first.as(dataOf(await first.post('/admin/auth/login/json', operator))['access_token'])
  const tenant = async (code: string): Promise<Owner> => {
    const { owner, id } = await createTenant(admin, code)
    return { api: owner, tenantId: id }
  }
  const good = await tenant('good')
  const evil = [await tenant('evil'), await tenant('worse')]
  await installPlugin(admin, neighbour, await packNeighbour('quick.example.com', quick), [good])

  let installed: string[] = []
  let last = 0
  async function install(name: string, content: Buffer): Promise<void> {
    await installPlugin(admin, name, content, evil)
    installed.push(name)
  }
  const stack = started.move()
  return {
    ...{ host, servers, admin, good, evil, install },
    async attacker(edit = (manifest) => manifest) {
      const name = nameBeside(neighbour, () => `evil.attacker${++last}`)
      const http = { hosts: [{ host: '*', ports: [80, quick, drip, mute], methods: ['GET'], reason: 'Everything.' }] }
      const own = (manifest: Record<string, unknown>) =>
        edit({ ...manifest, name, http, capabilities, reasons, limits, events: undefined })
      await install(name, await packFixture('attacker', own))
      return name
    },
    async clear() {
      for (const name of installed) dataOf(await admin.post(`/admin/plugins/${name}/disable`))
      installed = []
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The first name that leads to the same sandbox host. */
function nameBeside(other: string, next: () => string): string {
  for (let name = next(); ; name = next()) if (sharedLaneOf(name) === sharedLaneOf(other)) return name
}

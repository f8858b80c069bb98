import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureAi } from './ai.ts'
import { measureAiUsage } from './ai-usage.ts'
import { measureAuthenticated } from './authenticated.ts'
import { startBenchPlatform } from './bench-platform.ts'
import { measureChat } from './chat.ts'
import { measureDataScope } from './data-scope.ts'
import { measureImages } from './images.ts'
import { measureInstall } from './install.ts'
import { measureJobs } from './jobs.ts'
import { measureKnowledge } from './knowledge.ts'
import { measureLogin } from './login.ts'
import { measureMarketplace } from './marketplace.ts'
import { measureNeighbour } from './neighbour.ts'
import { measureManyPlugins } from './plugins-500.ts'
import { measureConfigMemory, measurePublicConfig } from './public-config.ts'
import { measureRealtime } from './realtime.ts'
import { measureIdlePlugins, measureSandbox } from './sandbox.ts'
import { measureStart } from './start.ts'
import { measureUpgrade } from './upgrade.ts'
import { measureUpload } from './upload.ts'

// Each figure stands beside a floor that was measured in the same run, in turns, on the same machine. Names pick some of them.
const wanted = process.argv.slice(2)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
/** These bring what they need themselves. */
const withoutPlatform = ['start', 'plugins-500', 'neighbour', 'jobs', 'ai-usage']
const needsPlatform = wanted.length === 0 || wanted.some((name) => !withoutPlatform.includes(name))
const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-bench-'))
try {
  if (isWanted('start')) await measureStart(dataDir)
  if (isWanted('plugins-500')) await measureManyPlugins()
  if (isWanted('neighbour')) await measureNeighbour()
  if (isWanted('jobs')) await measureJobs()
  if (isWanted('ai-usage')) await measureAiUsage()
  if (needsPlatform) await measureOnPlatform()
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
// The pool of the test server would keep the process for another half minute.
process.exit()

async function measureOnPlatform(): Promise<void> {
  await using platform = await startBenchPlatform(path.join(dataDir, 'platform'))
  if (isWanted('ai')) await measureAi(platform)
  if (isWanted('chat')) await measureChat(platform)
  if (isWanted('knowledge')) await measureKnowledge(platform)
  if (isWanted('authenticated')) await measureAuthenticated(platform)
  if (isWanted('login')) await measureLogin(platform)
  if (isWanted('public-config')) await measurePublicConfig(platform, dataDir)
  if (isWanted('config-memory')) await measureConfigMemory(platform)
  if (isWanted('data-scope')) await measureDataScope(platform)
  if (isWanted('sandbox')) await measureSandbox(platform)
  if (isWanted('install')) await measureInstall(platform)
  if (isWanted('upgrade')) await measureUpgrade(platform)
  if (isWanted('marketplace')) await measureMarketplace(platform)
  if (isWanted('images')) await measureImages(platform, dataDir)
  if (isWanted('upload')) await measureUpload(platform, dataDir)
  if (isWanted('realtime')) await measureRealtime(platform)
  if (isWanted('idle')) await measureIdlePlugins(platform)
}

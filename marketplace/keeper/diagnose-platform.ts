import { createRequire } from 'node:module'
import { PlatformClient } from '../dev/platform-client.ts'
import { diagnose, type Diagnosis } from './diagnosis.ts'

const { version: ownVersion } = createRequire(import.meta.url)('../../package.json') as { version: string }
const skewMs = 5_000
const timeoutMs = 10_000

/** Looks at a platform that runs: whether it is healthy, of which version, whether its clock agrees, and what a token may do there. */
export async function diagnosePlatform(url: string, token: string | undefined): Promise<readonly Diagnosis[]> {
  const base = url.replace(/\/$/, '')
  let clock: Diagnosis | undefined
  const health = await diagnose(
    `platform ${base}`,
    'Look whether it runs, and whether the address is right.',
    async () => {
      const answer = await fetch(`${base}/api/public/health`, { signal: AbortSignal.timeout(timeoutMs) })
      const { status = '', version = '' } = (await answer.json()) as { status?: string; version?: string }
      clock = compareClocks(answer.headers.get('date'))
      if (!answer.ok) return { level: 'fail', says: `answers ${answer.status} ${status}`, todo: 'Look into its log.' }
      if (version !== '' && version !== ownVersion)
        return {
          level: 'warn',
          says: `is version ${version}, this is ${ownVersion}`,
          todo: 'Use the command line of the same version.',
        }
      return { level: 'ok', says: `is healthy${version === '' ? '' : `, version ${version}`}` }
    },
  )
  const identity = token === undefined || health.level === 'fail' ? [] : [await diagnoseToken(base, token)]
  return [health, ...(clock ? [clock] : []), ...identity]
}

/** The date of an answer has whole seconds. */
function compareClocks(date: string | null): Diagnosis {
  const what = 'clock'
  const skew = date === null ? Number.NaN : Date.now() - Date.parse(date)
  if (Number.isNaN(skew)) return { level: 'warn', what, says: 'the platform does not tell its time' }
  if (Math.abs(skew) <= skewMs) return { level: 'ok', what, says: 'agrees with the platform' }
  const says = `is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'ahead of' : 'behind'} the platform`
  return { level: 'warn', what, says, todo: 'Set the clock: signatures, licences and tokens depend on it.' }
}

function diagnoseToken(base: string, token: string): Promise<Diagnosis> {
  return diagnose('token', 'Sign in again as an administrator of the platform, and give that token.', async () => {
    const { total } = await new PlatformClient(base, token).call('GET', '/admin/plugins?page_size=1')
    return { level: 'ok', says: `may see plugins${typeof total === 'number' ? `: ${total} installed` : ''}` }
  })
}

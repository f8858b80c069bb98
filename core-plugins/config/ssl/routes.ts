import { createHash } from 'node:crypto'
import { defineRoute, type Route, type Scope, withAlias } from '#kernel'
import type { ConfigReader } from '../contract.ts'
import { createDnsQuestions } from './dns-questions.ts'
import { askReadiness, type DomainReadiness, type ReadinessQuestion } from './dns-readiness.ts'
import { presentIssue } from './present-issue.ts'
import { readinessQuery, readinessResponse } from './schemas.ts'
import { certificateDomains, type SslSettings } from './ssl-settings.ts'

/** How long an answer of the name servers is kept, in seconds. */
const keptSeconds = 30

/** Whether the domains of the platform's certificates lead here, for the platform alone. */
export function sslRoutes(scope: Scope, reader: ConfigReader): readonly Route[] {
  const dns = createDnsQuestions(scope.env.dnsServers)
  return withAlias('/admin/configs', '/configs', (prefix) => [
    defineRoute({
      method: 'get',
      path: `${prefix}/platform-ssl/dns-readiness`,
      summary: 'Look up whether the platform’s domains lead here and could have certificates',
      auth: 'platform',
      permission: 'platform_config:detail',
      limit: { policy: 'dns', requests: 30, seconds: 60, by: 'user' },
      schema: { query: readinessQuery, response: readinessResponse },
      async handler({ query, state: { locale } }) {
        const { domains, ...rest } = await ask(query.refresh === '1')
        const shown = domains.map(({ issues, ...domain }) => {
          return { ...domain, issues: issues.map((issue) => presentIssue(issue, locale)) }
        })
        return { ...rest, domains: shown }
      },
    }),
  ])

  async function ask(isFresh: boolean) {
    const question = await readQuestion(reader)
    const key = `dns-readiness:${createHash('sha256').update(JSON.stringify(question)).digest('base64url')}`
    if (isFresh) await scope.cache.delete(key)
    return scope.cache.wrap(key, keptSeconds, async () => {
      const domains: readonly DomainReadiness[] = await askReadiness(dns, question)
      const ready = domains.every((domain) => domain.ready)
      return { ready, checked_at: new Date().toISOString(), expected: question.expected, domains }
    })
  }
}

async function readQuestion(reader: ConfigReader): Promise<ReadinessQuestion> {
  const get = <T>(key: string): Promise<T> => reader.get<T>(key)
  const [mode, named, isWildcard] = await Promise.all([
    get<SslSettings['ssl_mode']>('ssl_mode'),
    get<readonly string[]>('ssl_domains'),
    get<boolean>('ssl_wildcard'),
  ])
  const settings = { ssl_domains: named, ssl_wildcard: isWildcard }
  const [first = ''] = await get<readonly string[]>('platform_domains')
  const target = (await get<string>('tenant_cname_target')) || (first && `tenants.${first}`)
  const expected = { ips: await get<readonly string[]>('server_ips'), cname: target.toLowerCase() }
  return { domains: await certificateDomains(settings, reader), expected, mode }
}

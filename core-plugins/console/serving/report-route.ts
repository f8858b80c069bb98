import { data, defineRoute, type Route } from '#kernel'
import { reportPath } from './page-policy.ts'

const body = {
  type: ['array', 'object'],
  maxItems: 100,
} as const
const largestReport = 64 * 1024
const longestFact = 300
// Of a report only these: what else is in it may be the reader's.
const facts = ['effectiveDirective', 'blockedURL', 'documentURL', 'sourceFile', 'lineNumber', 'disposition'] as const

/** Takes what browsers say broke the console's policy, and logs it. */
export function reportRoute(): Route {
  return defineRoute({
    method: 'post',
    path: reportPath,
    auth: 'none',
    summary: 'Report what a browser refused because of the console’s content security policy',
    limit: { policy: 'csp_report', requests: 60, seconds: 60, by: 'ip' },
    maxBodyBytes: largestReport,
    answers: [{ status: 202, schema: { type: 'null' } }],
    schema: { body },
    handler(ctx) {
      for (const report of [ctx.body].flat())
        ctx.log.warn({ violation: factsOf(report) }, 'a browser refused something')
      return data(null, { status: 202 })
    },
  })
}

function factsOf(report: unknown): Readonly<Record<string, string>> {
  const told = (report as { body?: Readonly<Record<string, unknown>> } | null)?.body ?? {}
  return Object.fromEntries(
    facts.flatMap((name) => {
      const fact = told[name]
      if (typeof fact !== 'string' && typeof fact !== 'number') return []
      // Without the query and the fragment of an address, which may hold what is nobody's business.
      return [
        [
          name,
          String(fact)
            .replace(/[?#].*$/, '')
            .slice(0, longestFact),
        ],
      ]
    }),
  )
}

import { data, defineRoute, type Route } from '#kernel'
import { reportBody } from './schemas.ts'
import type { PageReports } from './page-reports.ts'

/** What readers say of pages of plugins. */
export function reportRoutes(reports: PageReports): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/plugins/slots/reports',
      summary: 'Tell the administrators that a page of a plugin does not work',
      auth: 'user',
      limit: { policy: 'plugin_page_reports', requests: 10, seconds: 3_600, by: 'user' },
      answers: [{ status: 202, schema: { type: 'null' } }],
      schema: { body: reportBody },
      errors: [4046],
      async handler({ body, principal, state }) {
        await reports.tell(principal, state.locale, body)
        return data(null, { status: 202 })
      },
    }),
  ]
}

import { accepted, defineRoute, deletedBody, pageOf, pageQuery, readPage, type Route } from '#kernel'
import { groupings } from '../usage/usage-filter.ts'
import { reportTypes } from './report-types.ts'
import { invoice, reportBody, reportState } from './schemas.ts'
import type { ReportService } from './service.ts'

const path = '/admin/ai/usage/reports'
const sortable = ['-created_at', 'name', 'finished_at']
const permission = { platform: 'ai_usage:report', tenant: 'tenant_usage:read' } as const
const text = { type: 'string' } as const
const moment = { type: 'string', format: 'date-time' } as const

const newReport = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'type', 'from', 'to'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    type: { enum: reportTypes },
    from: moment,
    to: moment,
    tz: { type: 'string', format: 'time-zone', maxLength: 64 },
    group_by: { type: 'array', maxItems: 8, uniqueItems: true, items: { enum: groupings } },
    format: { enum: ['csv', 'json', 'focus'] },
    schedule: {
      type: ['string', 'null'],
      maxLength: 100,
      description: 'Five fields of cron, once an hour at most: made again, as long a time up to then',
    },
    deliver: {
      type: 'object',
      additionalProperties: false,
      properties: {
        attachment: { const: true },
        webhook: {
          type: ['string', 'null'],
          maxLength: 2000,
          description: 'Told by POST when the report is ready; shown without its path',
        },
        email: {
          type: 'array',
          maxItems: 20,
          uniqueItems: true,
          items: { type: 'string', format: 'email', maxLength: 254 },
          description: 'Told when the report is ready; of a tenant its active users, in 60 mails an hour',
        },
      },
    },
    invoice,
  },
} as const

const params = {
  type: 'object',
  required: ['report_id'],
  properties: { report_id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const

/** The endpoints of reports. */
export function reportRoutes(reports: ReportService): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path,
      summary: 'Have a report of usage and costs made; its file is an attachment',
      permission,
      answers: [202],
      schema: {
        body: newReport,
        response: { type: 'object', required: ['report_id', 'status'], properties: { report_id: text, status: text } },
      },
      errors: [4229],
      handler: async (ctx) => accepted(await reports.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path,
      summary: 'List reports of usage and costs',
      permission,
      schema: {
        query: {
          type: 'object',
          properties: {
            ...pageQuery,
            status: { ...reportState, description: 'Only this status' },
            type: { enum: reportTypes, description: 'Only this type' },
            format: { ...reportBody.properties.format, description: 'Only this format' },
          },
        },
        response: pageOf(reportBody),
      },
      handler: ({ principal, query }) => reports.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{report_id}`,
      summary: 'Read a report: whether it is ready, and the attachment that it is',
      permission,
      schema: { params, response: reportBody },
      errors: [4040],
      handler: ({ principal, params: { report_id: id } }) => reports.get(principal, id),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{report_id}`,
      summary: 'Forget a report and end its schedule; its file stays',
      permission,
      schema: { params, response: deletedBody },
      errors: [4040],
      async handler(ctx) {
        await reports.delete(ctx.params.report_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

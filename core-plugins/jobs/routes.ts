import { defineRoute, readPage, type Route, type TextTeller } from '#kernel'
import type { JobAdmin } from './admin/job-admin.ts'
import { presentJob } from './present.ts'
import { jobBody, jobPage, jobParams, jobQuery } from './schemas.ts'

const sortable = ['-id', 'run_at']

/** What administrators see of jobs and do about them. */
export function jobRoutes(jobs: JobAdmin, teller: TextTeller): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/jobs',
      summary: 'List jobs, newest first, by state, kind or tenant',
      auth: 'platform',
      permission: 'platform_job:list',
      schema: { query: jobQuery, response: jobPage },
      handler: ({ query, state: { locale } }) => jobs.list(readPage(query, sortable), query, locale),
    }),
    defineRoute({
      method: 'get',
      path: '/admin/jobs/{id}',
      summary: 'Read a job and how far it is',
      auth: 'platform',
      permission: 'platform_job:list',
      schema: { params: jobParams, response: jobBody },
      errors: [4040],
      handler: async ({ params, state: { locale } }) =>
        presentJob(await jobs.get(String(params.id)), { teller, locale }),
    }),
    defineRoute({
      method: 'post',
      path: '/admin/jobs/{id}/retry',
      summary: 'Try a job again that was given up or cancelled, at the end of its key',
      auth: 'platform',
      permission: 'platform_job:retry',
      schema: { params: jobParams, response: jobBody },
      errors: [4040, 4094],
      handler: async ({ principal, state, params }) =>
        presentJob(await jobs.retry(String(params.id), { principal, state }), { teller, locale: state.locale }),
    }),
    defineRoute({
      method: 'post',
      path: '/admin/jobs/{id}/cancel',
      summary: 'Cancel a job; one that runs is told to end',
      auth: 'platform',
      permission: 'platform_job:cancel',
      schema: { params: jobParams, response: jobBody },
      errors: [4040, 4094],
      handler: async ({ principal, state, params }) =>
        presentJob(await jobs.cancel(String(params.id), { principal, state }), { teller, locale: state.locale }),
    }),
  ]
}

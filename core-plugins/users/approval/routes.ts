import { defineRoute, type Route } from '#kernel'
import { userParams } from '../schemas.ts'
import type { ApprovalService } from './service.ts'

const decision = {
  type: 'object',
  additionalProperties: false,
  required: ['approved'],
  properties: { approved: { type: 'boolean' }, reason: { type: 'string', maxLength: 500 } },
} as const

const decided = {
  type: 'object',
  additionalProperties: false,
  required: ['user_id', 'status'],
  properties: { user_id: { type: 'integer' }, status: { enum: ['active', 'rejected'] } },
} as const

/** The endpoint that decides about a registration. */
export function approvalRoute(approvals: ApprovalService): Route {
  return defineRoute({
    method: 'post',
    path: '/tenant/users/{user_id}/approve',
    auth: 'tenant',
    summary: 'Approve or reject a registration',
    permission: 'tenant_user:approve',
    schema: { params: userParams, body: decision, response: decided },
    errors: [4031, 4094],
    handler(ctx) {
      const { approved, reason } = ctx.body
      return approvals.decide(ctx.tenant, ctx.params.user_id, { approved, reason }, ctx)
    },
  })
}

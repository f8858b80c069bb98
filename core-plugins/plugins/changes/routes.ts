import { defineRoute, type Route } from '#kernel'
import type { OperationLog } from '../reading/operation-log.ts'
import { operationBody } from '../shared/operation-schemas.ts'
import { cancelParams } from '../shared/schemas.ts'
import { cancelOperation, type CancelNeeds } from './cancel-operation.ts'

/** What is done about operations themselves, under one prefix. */
export function operationRoutes(needs: CancelNeeds, operationLog: OperationLog, prefix: string): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: `${prefix}/operations/{operation_id}/cancel`,
      summary: 'Call an operation off whose package is still on the way; needs what its own verb does',
      auth: 'platform',
      answers: [200],
      schema: { params: cancelParams, response: operationBody },
      errors: [4031, 4040, 4094],
      async handler({ params, principal, state }) {
        const { plugin, id } = await cancelOperation(needs, params.operation_id, principal)
        return operationLog.get(plugin, id, state.locale)
      },
    }),
  ]
}

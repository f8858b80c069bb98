import assert from 'node:assert/strict'
import type { DataScopePlan } from '#kernel'
import knex from 'knex'
import { UserRole } from '../../../core-plugins/access/records/role-models.ts'
import { restrictToMembers } from '../../../core-plugins/access/scope/restrict-to-members.ts'

describe('a query over users within a plan', () => {
  const db = knex({ client: 'pg' })
  const conditionsOf = (plan: DataScopePlan): string => {
    const query = restrictToMembers(UserRole.of(1, db), plan, 'user_id')
    return query.toKnexQuery().toSQL().sql.split(' where ')[1] ?? ''
  }

  it('finds nobody where the plan reaches nobody', () => {
    assert.match(conditionsOf({ kind: 'none' }), /\bfalse\b/)
  })

  it('finds everybody only where the plan reaches everybody', () => {
    assert.doesNotMatch(conditionsOf({ kind: 'all' }), /user_id|false/)
    for (const orgIds of [[], [1]]) assert.match(conditionsOf({ kind: 'filter', orgIds, userId: 7 }), /"user_id" = /)
  })
})

import path from 'node:path'
import type { Knex } from 'knex'
import type { Logger, Plugin } from '#kernel'
import { migrate } from '../../kernel/data/migrate.ts'
import { orderPlugins } from '../../kernel/order.ts'
import { makePartitions as makeMonths } from '../../core-plugins/ai-ledger/usage/partitions.ts'
import { makePartitions as makeDays } from '../../core-plugins/ai/health/partitions.ts'
import type { DatabaseTemplate } from './cluster.ts'
import { checkout } from './host-process.ts'

/** Thirty tables, which each host would make again. */
const partitions: Readonly<Record<string, (knex: Knex) => Promise<void>>> = { ai_ledger: makeMonths, ai: makeDays }

/** A database in which the tables of these plugins stand already, with their partitions, as after a start that ended before any set-up. */
export function migratedFor(plugins: readonly Plugin[], log: Logger): DatabaseTemplate {
  const folders = plugins.flatMap(({ migrations = [] }) => migrations)
  return {
    name: folders.sort().join(' '),
    async prepare(knex) {
      await migrate(knex, 'kernel', path.join(checkout, 'kernel', 'data', 'migrations'), log)
      const needed = plugins.flatMap(({ needs = {} }) => Object.values(needs).map(({ id }) => id))
      for (const { name, migrations, inherited } of orderPlugins(plugins, new Set(needed))) {
        if (migrations) await migrate(knex, name, migrations, log, inherited)
      }
      for (const { name } of plugins) await partitions[name]?.(knex)
    },
  }
}

import type { Attack } from '../attack.ts'
import { runCode } from './run-code.ts'

const rows = 'Array.from({ length: 500 }, (_, i) => ({ label: "x".repeat(1500) + i }))'

/** Many rows, transactions that stay open, queries that take as long as they may. */
export const database: readonly Attack[] = [
  runCode(
    'rows',
    [
      `for (let i = 0; i < 20; i++) await db.table('loot').insert(${rows}.slice(0, 300)); return 1`,
      `return (await Promise.all(Array.from({ length: 16 }, () => (async () => db.table('loot').limit(1000))().catch(() => [])))).length`,
    ],
    { isTogether: true },
  ),
  runCode(
    'held-transactions',
    [
      `await Promise.all(Array.from({ length: 16 }, () => db.tx(() => new Promise(() => {})).catch(() => 0))); return 1`,
      `await db.tx(async (tx) => { await tx.table('loot').insert({ label: 'held' }); await new Promise(() => {}) }).catch(() => 0); return 1`,
    ],
    { isTogether: true },
  ),
  runCode(
    'long-queries',
    [
      `return (await Promise.all(Array.from({ length: 16 }, () => (async () => db.table('loot').where('label', 'like', '%' + 'x%'.repeat(40) + 'never').orderBy('label').limit(1000))().catch(({ code }) => code)))).length`,
      `await db.table('loot').insert(${rows}.slice(0, 300)); return 1`,
    ],
    { isTogether: true },
  ),
]

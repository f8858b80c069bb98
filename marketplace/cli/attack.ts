import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseManifest, type TestAnswer } from '#sandbox'
import { attackRoutes, flood } from '../attack/requests.ts'
import { trialsOf, type Trial } from '../attack/trials.ts'
import { loadAround } from '../testing.ts'
import type { Answer } from './command.ts'

/** Instead of the 10 seconds of production, so that nobody waits for them. */
const wallMs = 1_500
const prefix = 'stoa_trial_'
const notRunning = 5035
const mostTries = 5

/** One line of the table. */
interface Row {
  readonly limit: string
  readonly done: string
  readonly status: number
  readonly code: number
  readonly reason: string
  readonly ms: number
}

/** Drives a plugin to its limits in a real isolate and shows what its callers get. */
export async function attack(directory: string): Promise<Answer> {
  const manifest = parseManifest(await readFile(join(directory, 'manifest.json')))
  const trials = trialsOf(manifest)
  // In a plugin of its own: on a busy machine a wall clock this short would end the trials of other limits first.
  const callHurried = async (handler: string): Promise<TestAnswer> => {
    await using hurried = await loadAround(directory, moduleOf(trials), { limits: { wallMs: wallMs } })
    return await hurried.call(handler)
  }
  await using plugin = await loadAround(directory, moduleOf(trials))
  const rows: Row[] = []
  for (const [index, { limit, done }] of trials.entries()) {
    const call = limit === 'wallMs' ? callHurried : plugin.call.bind(plugin)
    rows.push(toRow(limit, done, await tryFairly(() => call(`${prefix}${index}`))))
  }
  const counts = await flood(plugin, `${prefix}pause`)
  const routes = await attackRoutes(plugin, manifest)
  const failed = routes.filter(({ answer }) => answer.status >= 500)
  const crowd = [...counts].map(([code, count]) => `${count} times ${code === 0 ? 'an answer' : code}`).join(', ')
  return {
    text: [
      ...table(rows),
      '',
      `60 calls at once: ${crowd}`,
      `${routes.length} hostile requests to your routes, ${failed.length} answered with a server error${failed.length ? ':' : '.'}`,
      ...failed.flatMap(({ route, done, answer }) => [
        `  ${route}, ${done}: ${answer.status}/${answer.code} ${answer.error?.reason}`,
        ...(answer.stack ?? '').split('\n').map((line) => `      ${line}`),
      ]),
    ],
    json: {
      limits: rows,
      concurrency: Object.fromEntries(counts),
      routes: routes.map(({ route, done, answer: { status, code, error, stack } }) => {
        return { route, done, status, code, reason: error?.reason ?? null, stack: stack ?? null }
      }),
    },
    exitCode: failed.length === 0 ? 0 : 1,
  }
}

/** Tries again when the machine was too busy for the plugin: that shows none of its limits. */
async function tryFairly(call: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call()
    if (answer.code !== notRunning || attempt === mostTries) return answer
  }
}

/** The plugin with the trials among its handlers. */
function moduleOf(trials: readonly Trial[]): string {
  const handlers = [
    ...trials.map(({ body }, index) => `async ${prefix}${index}(request, ctx, db) { ${body} }`),
    `async ${prefix}pause(request, ctx) { for (let i = 0; i < 20; i++) await ctx.cache.get('a') }`,
  ]
  return `import own from 'stoa:own'\nexport default { ...own, handlers: { ...own.handlers,\n${handlers.join(',\n')}\n} }`
}

function toRow(limit: string, done: string, { status, code, error, cost, logs }: TestAnswer): Row {
  const kept = limit === 'logLines' ? `${logs.length} lines kept` : 'answered'
  const bound = (error?.details as { readonly limit?: string } | undefined)?.limit
  const reason = error ? `${error.reason}${bound === undefined ? '' : ` (${bound})`}` : kept
  return { limit, done, status, code, reason, ms: Math.round(cost.wallMs) }
}

function table(rows: readonly Row[]): readonly string[] {
  const cells = rows.map(({ limit, done, status, code, reason, ms }) => [
    limit,
    done,
    `${status}/${code}`,
    reason,
    `${ms} ms`,
  ])
  const all = [['limit', 'what was done', 'answer', 'reason', 'time'], ...cells]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

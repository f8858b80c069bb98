import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { AppError } from '#kernel'
import { sandboxLimits } from '#sandbox'
import { writeTypes } from '../author/write-types.ts'
import { describeLine } from '../dev/describe-line.ts'
import { installForDevelopment, reload, type DevPlugin } from '../dev/dev-plugin.ts'
import { PlatformClient, readToken } from '../dev/platform-client.ts'
import { startPrivatePlatform, type PrivatePlatform } from '../dev/private-platform.ts'
import { watchFolder } from '../dev/watch-folder.ts'
import { watchParents } from '../dev/watch-parents.ts'
import type { TypeChecker } from '../inspect/type-checker.ts'
import { describeFinding } from '../lint/finding.ts'
import { assemblePackage } from '../pack.ts'
import { atMostOneOperand, UsageError, type Command } from './command.ts'

const tokenMs = 10 * 60_000
const shown = {
  cpuMs: sandboxLimits.cpuMs.default,
  wallMs: sandboxLimits.wallMs.default,
  hostCalls: sandboxLimits.hostCalls.default,
}

/** `stoa dev`: a platform that follows every change of a plugin's files. */
export const dev: Command = {
  usage: '[<folder>] [--port <port>] [--host <url> --token <token or file>]',
  summary: 'Runs a plugin on a platform of its own that follows every change.',
  examples: ['stoa dev sales'],
  options: {
    port: 'where the platform listens; a free port unless given',
    host: 'a platform that runs already with STOA_DEV=1, instead of one of its own',
    token: "an access token of that platform's administrator, or a file with it",
  },
  async run(operands, { port, host, token }) {
    const directory = resolve(atMostOneOperand(operands) ?? '.')
    if ((host === undefined) !== (token === undefined)) throw new UsageError('Give --host and --token together.')
    if (port !== undefined && !isPort(port)) throw new UsageError('--port is a number from 1 to 65535.')
    if (port !== undefined && host !== undefined) throw new UsageError('--port is for a platform of its own.')
    // What cannot be packed needs no platform, and nothing is written where there is no plugin.
    await assemblePackage(directory)
    const { TypeChecker } = await import('../inspect/type-checker.ts')
    const types = new TypeChecker(directory)
    await using resources = new AsyncDisposableStack()
    const stop = Promise.withResolvers<unknown>()
    // A launcher hands on what the terminal sends to both: the second of a pair must not cut the stop short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop.resolve)
    resources.use(watchParents(() => stop.resolve('parent')))
    await writeTypes(directory)
    await tellFindings(directory, types)
    let name = ''
    const print = (fields: Readonly<Record<string, unknown>>): void => say(describeLine(fields, name, shown))
    const admin =
      host === undefined || token === undefined
        ? await startOwn(resources, stop.resolve, print, port)
        : new PlatformClient(host, await readToken(token))
    const password = host === undefined ? randomBytes(12).toString('base64url') : undefined
    const installed = Promise.withResolvers<void>()
    // From before it is packed: what changes while it is installed is not lost.
    resources.use(watchFolder(directory, createReloader(admin, directory, types, installed.promise)))
    const plugin = await installForDevelopment(admin, directory, password)
    name = plugin.name
    const tokenFile = plugin.tenant && (await keepToken(resources, directory, plugin.tenant.signIn))
    say(introduce(admin, plugin, tokenFile))
    installed.resolve()
    await stop.promise
    return { text: ['', 'Stopped; nothing is left of it.'], json: { stopped: true } }
  },
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
}

async function startOwn(
  resources: AsyncDisposableStack,
  onEnd: (reason: unknown) => void,
  print: (fields: Readonly<Record<string, unknown>>) => void,
  port: string | undefined,
): Promise<PlatformClient> {
  say(['Starting a platform …'])
  const platform: PrivatePlatform = resources.use(
    await startPrivatePlatform(print, port === undefined ? undefined : Number(port)),
  )
  void platform.ended.then(onEnd)
  return platform.admin
}

/** One replacement at a time, the first when it is installed; what changes meanwhile is taken by the next. */
function createReloader(
  admin: PlatformClient,
  directory: string,
  types: TypeChecker,
  installed: Promise<void>,
): (savedAt: number) => void {
  let isRunning = false
  let dirtySince: number | undefined
  return (savedAt) => {
    dirtySince = savedAt
    if (isRunning) return
    isRunning = true
    void (async () => {
      await installed
      while (dirtySince !== undefined) {
        const since = dirtySince
        dirtySince = undefined
        await reload(admin, directory, since).then(
          ({ milliseconds, hasNewTables }) =>
            say([
              `Reloaded in ${milliseconds} ms${hasNewTables ? '; the migrations changed, the tables are empty' : ''}`,
            ]),
          (error: unknown) => say(describeError(error)),
        )
        await tellFindings(directory, types).catch((error: unknown) => say(describeError(error)))
      }
      isRunning = false
    })()
  }
}

/** What stoa validate would refuse, as far as it is seen without loading: the platform has loaded it meanwhile. */
async function tellFindings(directory: string, types: TypeChecker): Promise<void> {
  const { inspectPlugin } = await import('../inspect/inspect-plugin.ts')
  const { findings } = await inspectPlugin(directory, { types, isLoaded: false })
  say(findings.filter(({ level }) => level === 'error').map((finding) => `  ${describeFinding(finding)}`))
}

/** Keeps a token that holds in a file for as long as this runs; tokens themselves end after a quarter of an hour. */
async function keepToken(
  resources: AsyncDisposableStack,
  directory: string,
  signIn: () => Promise<PlatformClient>,
): Promise<string> {
  const file = join(directory, '.stoa/token')
  const write = async (): Promise<void> => writeFile(file, (await signIn()).token ?? '', { mode: 0o600 })
  await write()
  const timer = setInterval(() => void write().catch((error: unknown) => say(describeError(error))), tokenMs)
  resources.defer(async () => {
    clearInterval(timer)
    await rm(file, { force: true })
  })
  return relative('', file)
}

function introduce(
  admin: PlatformClient,
  { name, tenant }: DevPlugin,
  tokenFile: string | undefined,
): readonly string[] {
  const lines = [`${name} runs on ${admin.url}`]
  if (tokenFile === undefined || !tenant) return [...lines, 'Every change of a file is taken at once. Ctrl-C ends it.']
  return [
    ...lines,
    '',
    '# its pages, in the console of the tenant dev',
    `${consoleOf(admin.url, tenant.code)}  ${tenant.account}  ${tenant.password}`,
    '# as a user of the tenant dev, who holds all the permissions of the plugin',
    `curl -H "authorization: Bearer $(cat ${tokenFile})" ${admin.url}/tenant/plugins/${name}/api/…`,
    '# without a token',
    `curl -H 'host: dev.localhost' ${admin.url}/api/public/plugins/${name}/api/…`,
    '',
    'Every change of a file is taken at once. Ctrl-C ends it and leaves nothing.',
  ]
}

/** The tenant's own address: browsers lead what ends in .localhost to this machine. */
function consoleOf(url: string, code: string): string {
  const address = new URL('/console/', url)
  address.hostname = `${code}.localhost`
  return address.href
}

function describeError(error: unknown): readonly string[] {
  if (!(error instanceof AppError)) return [`Not reloaded. ${error instanceof Error ? error.message : String(error)}`]
  const faults = (error.errors ?? []).map(({ field, message }) => `  ${field}: ${message}`)
  return [`Not reloaded. ${error.message}`, ...faults]
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '#kernel'
import { parseManifest, type PluginManifest } from '#sandbox'

type ProvidedServices = NonNullable<NonNullable<PluginManifest['provides']>['services']>

/** What another plugin provides, as an author keeps a copy of it. */
export interface CopiedServices {
  /** Relative to the author's folder. */
  readonly file: string
  /** Of the other plugin, with its name, its version and its services, and nothing else that is its own. */
  readonly manifest: PluginManifest
}

/** What is wrong with a copy. */
interface CopyFault {
  readonly file: string
  /** `services.0.version`, or empty for the file as a whole. */
  readonly field: string
  readonly message: string
}

/** The file with the copy of what a plugin provides. */
function copyFile(provider: string): string {
  return `services/${provider}.json`
}

/** Reads the copies of what other plugins provide; whatever is no copy is told and left out. */
export async function readCopies(
  directory: string,
): Promise<{ readonly copies: readonly CopiedServices[]; readonly faults: readonly CopyFault[] }> {
  const copies: CopiedServices[] = []
  const faults: CopyFault[] = []
  for (const file of (await Array.fromAsync(glob('services/*.json', { cwd: directory }))).sort()) {
    try {
      const manifest = toManifest(JSON.parse(await readFile(join(directory, file), 'utf8')))
      if (copyFile(manifest.name) === file) copies.push({ file, manifest })
      else faults.push({ file, field: 'plugin', message: `This is what ${manifest.name} provides: name the file so.` })
    } catch (error) {
      faults.push(...faultsOf(error, file))
    }
  }
  return { copies, faults }
}

/** A service such as `acme.crm/contacts` among the copies; undefined where there is none. */
export function findCopied(copies: readonly CopiedServices[], id: string) {
  const [provider, name] = id.split('/')
  const copy = copies.find(({ manifest }) => manifest.name === provider)
  const service = copy?.manifest.provides?.services?.find((each) => each.name === name)
  return copy && service && { file: copy.file, service }
}

/** The methods of a service among the copies; undefined where there is none. */
export function methodsOf(copies: readonly CopiedServices[], id: string) {
  return findCopied(copies, id)?.service.methods
}

/** Writes down what a plugin provides, so that who calls it needs neither its package nor a network; answers the file. */
export async function writeCopy(
  directory: string,
  { name, version }: Pick<PluginManifest, 'name' | 'version'>,
  services: ProvidedServices,
): Promise<string> {
  const file = copyFile(name)
  const copied = services.map(({ methods, ...service }) => ({
    ...service,
    methods: methods.map(({ name, effect, input, output }) => ({ name, effect, input, output })),
  }))
  await mkdir(dirname(join(directory, file)), { recursive: true })
  await writeFile(
    join(directory, file),
    `${JSON.stringify({ plugin: name, release: version, services: copied }, null, 2)}\n`,
  )
  return file
}

/** The least manifest that has these services: it is read by the rules that hold for every manifest. */
function toManifest(copy: unknown): PluginManifest {
  const { plugin, release, services, ...more } = membersOf(copy)
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) throw new SyntaxError(`There is no such field: ${unknown}.`)
  const methodsOf = (methods: unknown): unknown =>
    Array.isArray(methods) ? methods.map((method) => ({ ...membersOf(method), handler: 'elsewhere' })) : methods
  const provided = Array.isArray(services)
    ? services.map(membersOf).map((service) => ({ ...service, methods: methodsOf(service['methods']) }))
    : services
  return parseManifest(
    JSON.stringify({
      ...{ manifestVersion: 1, name: plugin, version: release, publisher: String(plugin).split('.')[0] },
      ...{ title: { default: '-' }, description: { default: '-' }, license: 'MIT', engines: { host: '*' } },
      ...{ main: 'dist/index.js', scope: 'tenant', capabilities: ['services:provide'] },
      ...{ reasons: { 'services:provide': 'It does.' }, provides: { services: provided } },
    }),
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new SyntaxError('This is no copy of services: make it with stoa types --service.')
}

function faultsOf(error: unknown, file: string): readonly CopyFault[] {
  if (error instanceof SyntaxError) return [{ file, field: '', message: error.message }]
  if (!(error instanceof AppError)) throw error
  const own: Readonly<Record<string, string>> = { name: 'plugin', version: 'release' }
  return (error.errors ?? []).map(({ field, message }) => {
    return { file, field: own[field] ?? field.replace(/^provides\./, ''), message }
  })
}

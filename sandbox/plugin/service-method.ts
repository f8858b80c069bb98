import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { ServiceMethod } from '../manifest/plugin-provided.ts'
import { compileToolCheck } from './compile-tool-check.ts'

/** A method that one plugin provides and another calls, with what holds both to its schemas. */
interface CheckedMethod {
  readonly method: ServiceMethod
  readonly version: string
  /** JSON text of what the method gets; throws 422/4220 for an input beyond the schema. */
  readonly toInput: (from: string, input: unknown) => string
  /** What the asking plugin gets, of the JSON text that the method returned; throws 502/5029 beyond the schema. */
  readonly toOutput: (text: string) => unknown
}

const known = new WeakMap<ServiceMethod, CheckedMethod>()

/** A method of one of a plugin's services; undefined where the manifest has none of these names. */
export function findServiceMethod(
  { provides: { services = [] } = {} }: PluginManifest,
  service: string,
  name: string,
): CheckedMethod | undefined {
  const provided = services.find((each) => each.name === service)
  const method = provided?.methods.find((each) => each.name === name)
  if (!provided || !method) return undefined
  const checked = known.get(method) ?? check(method, provided.version)
  known.set(method, checked)
  return checked
}

function check(method: ServiceMethod, version: string): CheckedMethod {
  const { toInput, toContent } = compileToolCheck(method)
  return {
    ...{ method, version },
    toInput: (from, input) => `{"input":${toInput(input)},"from":${JSON.stringify(from)}}`,
    toOutput: (text) => toContent(`{"content":${text}}`),
  }
}

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FieldError } from '#kernel'
import { sandboxLimits } from './limits.ts'
import { ManifestInvalidError } from './manifest/errors.ts'
import { collectFaults, type Report } from './manifest/fault.ts'
import type { PluginManifest } from './manifest/plugin-manifest.ts'
import { rules } from './manifest/rules/index.ts'
import { scanJson } from './manifest/scan-json.ts'
import { manifestSchema } from './manifest/schema.ts'

let compiled: ValidateFunction | undefined

/** Reads manifest.json: the manifest, or a ManifestInvalidError with every fault of it. */
export function parseManifest(source: string | Buffer): PluginManifest {
  const faults: FieldError[] = []
  const report = collectFaults(faults)
  const document = readDocument(source, report)
  if (document !== undefined) checkDocument(document, report)
  if (faults.length > 0) throw new ManifestInvalidError({ errors: faults })
  return document as PluginManifest
}

function readDocument(source: string | Buffer, report: Report): unknown {
  const bytes = typeof source === 'string' ? Buffer.byteLength(source) : source.length
  if (bytes > sandboxLimits.manifestBytes.max) {
    report('', 'size', `The manifest is larger than ${sandboxLimits.manifestBytes.max} bytes.`)
    return undefined
  }
  try {
    const text =
      typeof source === 'string' ? source : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(source)
    const fault = scanJson(text, sandboxLimits.manifestDepth.max, sandboxLimits.manifestValues.max)
    if (!fault) return JSON.parse(text)
    report(fault.field, fault.rule, fault.message)
  } catch (error) {
    report('', 'syntax', `This is no JSON in UTF-8: ${(error as Error).message}`)
  }
  return undefined
}

function checkDocument(document: unknown, report: Report): void {
  // Compiled for the first manifest, so that a start which reads none does not wait for it.
  const validate = (compiled ??= new Ajv({
    ...{ allErrors: true, strictRequired: false, strictTypes: false, validateSchema: false },
  }).compile(manifestSchema))
  const ill = new Set<string>()
  if (!validate(document)) {
    for (const error of validate.errors ?? []) {
      const field = fieldOf(error)
      ill.add(field.split('.')[0] ?? '')
      report(field, error.keyword, messageOf(error))
    }
  }
  if (ill.has('')) return
  const manifest = document as PluginManifest
  for (const rule of rules) if (!rule.reads.some((field) => ill.has(field))) rule.check(manifest, report)
}

/** `/tenant_routes/0` with the missing `path` → `tenant_routes.0.path`. */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const member: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['propertyName']
  return [...path, ...(typeof member === 'string' ? [member] : [])].join('.')
}

function messageOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'additionalProperties') return 'There is no such field.'
  if (keyword === 'required') return 'This field is required.'
  const allowed: unknown = params['allowedValues'] ?? params['allowedValue']
  return `It ${message}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}.`
}

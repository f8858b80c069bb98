import { compileSchemaCheck, type FieldError, type Locale } from '#kernel'
import { ImageParamsInvalidError } from './errors.ts'
import {
  imageFormats,
  longestSide,
  presetNames,
  resizeModes,
  type ImageFormat,
  type PresetName,
  type ResizeMode,
} from './vocabulary.ts'

/** What a preset may say of an image. */
export interface ImageSettings {
  /** Pixels, 1 to 4096. */
  readonly w?: number
  readonly h?: number
  /** 1 to 100. */
  readonly q?: number
  readonly f?: ImageFormat
  readonly m?: ResizeMode
}

/** What a request asks for. */
export interface ImageParameters extends ImageSettings {
  readonly p?: PresetName
}

const side = { type: 'integer', minimum: 1, maximum: longestSide } as const
const settingProperties = {
  w: side,
  h: side,
  q: { type: 'integer', minimum: 1, maximum: 100 },
  f: { enum: imageFormats },
  m: { enum: resizeModes },
} as const
const asked = compileSchemaCheck(
  { type: 'object', properties: { ...settingProperties, p: { enum: presetNames } } },
  'exact',
  'lazily',
)
const presetSchema = { type: 'object', additionalProperties: false, properties: settingProperties } as const
const preset = compileSchemaCheck(presetSchema, 'exact', 'lazily')
const presets = compileSchemaCheck(
  {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(presetNames.map((name) => [name, presetSchema])),
  },
  'exact',
  'lazily',
)

/** The parameters in the order in which a signature covers them. */
const parameterNames = ['w', 'h', 'q', 'f', 'm', 'p'] as const
const numbers: ReadonlySet<string> = new Set(['w', 'h', 'q'])
/** One spelling of a number alone: a signature covers the text. */
const plainNumber = /^(0|[1-9]\d{0,8})$/

/** The parameters of an image in a query; what is wrong with one is told as 422/4224, so that it is looked at by the handler. */
export const imageQuery = {
  w: { description: 'Width in pixels, 1 to 4096' },
  h: { description: 'Height in pixels, 1 to 4096' },
  q: { description: 'Quality, 1 to 100' },
  f: { description: 'Format: jpg, png, webp or gif' },
  m: { description: 'Way into the box: fit, fill, crop or pad' },
  p: { description: 'Preset: thumb, avatar, preview, banner, small, medium or large' },
} as const

/** Reads the parameters out of a query; throws 422/4224 with every one that is not valid. Other members are not looked at. */
export function readParameters(query: Readonly<Record<string, unknown>>, locale: Locale): ImageParameters {
  const given: Record<string, unknown> = {}
  for (const name of parameterNames) {
    const value = query[name]
    if (value === undefined) continue
    given[name] = numbers.has(name) && typeof value === 'string' && plainNumber.test(value) ? Number(value) : value
  }
  if (asked.isValid(given)) return given
  throw new ImageParamsInvalidError({ errors: asked.explain(given, locale) })
}

/** Whether a value of configuration can stand for a preset. */
export function isPreset(value: unknown): value is ImageSettings {
  return preset.isValid(value)
}

/** What of a value of configuration cannot stand for presets, each under its path, such as `thumb.w`; none where all of it can. */
export function presetFaults(value: unknown, locale: Locale): readonly FieldError[] {
  return presets.isValid(value) ? [] : presets.explain(value, locale)
}

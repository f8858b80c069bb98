import { defaultLocale, locales } from '#kernel'
import type { ConfigCheck, ConfigObjection } from '../../config/contract.ts'
import { presetFaults } from './parameters.ts'

const key = 'image_presets'

/** Refuses presets under names that are none, and settings that no image can have: they would mean nothing, and nobody would learn of it. */
export const presetsCheck: ConfigCheck = {
  groups: ['platform_image'],
  check: ({ keys, values }) => (keys.includes(key) ? objectionsTo(values[key]) : []),
}

function objectionsTo(value: unknown): readonly ConfigObjection[] {
  const told = locales.map((locale) => [locale, presetFaults(value, locale)] as const)
  return presetFaults(value, defaultLocale).map(({ field, rule, message }, at) => {
    const sentences = told.map(([locale, faults]) => [locale, `{preset} ${faults[at]?.message ?? message}`] as const)
    const sentence = { ...Object.fromEntries(sentences), default: `{preset} ${message}` }
    return { key, rule, message: sentence, params: { preset: field } }
  })
}

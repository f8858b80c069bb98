import { isPreset, type ImageSettings } from './parameters.ts'
import { presetNames, type PresetName } from './vocabulary.ts'

/** What every preset stands for. */
export type Presets = Readonly<Record<PresetName, ImageSettings>>

const usual: Presets = {
  thumb: { w: 200, h: 200, m: 'crop', q: 75 },
  avatar: { w: 128, h: 128, m: 'crop' },
  preview: { w: 800, h: 800, m: 'fit' },
  banner: { w: 1200, h: 400, m: 'crop' },
  small: { w: 320, h: 320, m: 'fit' },
  medium: { w: 640, h: 640, m: 'fit' },
  large: { w: 1280, h: 1280, m: 'fit' },
}

/**
 * The presets as configuration changes them: `{"thumb": {"w": 100, "h": 100, "m": "fit"}}` replaces one whole. Names that are none
 * and values that cannot be are left out.
 */
export function presetsOf(configured: unknown): Presets {
  const given = (typeof configured === 'object' && configured !== null ? configured : {}) as Record<string, unknown>
  const changed = presetNames.filter((name) => isPreset(given[name])).map((name) => [name, given[name]])
  return { ...usual, ...(Object.fromEntries(changed) as Partial<Presets>) }
}

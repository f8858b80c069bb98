/** What a derived image may be. */
export const imageFormats = ['jpg', 'png', 'webp', 'gif'] as const
/** How a source comes into its box. */
export const resizeModes = ['fit', 'fill', 'crop', 'pad'] as const
/** The names of presets; configuration changes what they stand for and adds none. */
export const presetNames = ['thumb', 'avatar', 'preview', 'banner', 'small', 'medium', 'large'] as const
/** The longest side of a derived image. */
export const longestSide = 4096

/** One of the formats. */
export type ImageFormat = (typeof imageFormats)[number]
/** One of the modes. */
export type ResizeMode = (typeof resizeModes)[number]
/** One of the names. */
export type PresetName = (typeof presetNames)[number]

import { defineError } from '#kernel'

export const IconNotImageError = defineError(4225, 'plugin_icon_not_an_image', 'The icon is no PNG or WebP image')
export const IconTooLargeError = defineError(
  4226,
  'plugin_icon_too_large',
  'The icon is not 1 to {most} pixels wide and high',
)
export const IconNotFoundError = defineError(4040, 'plugin_icon_not_found', 'The plugin has no icon')

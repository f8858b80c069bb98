const rasters: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Whether a media type is a picture of pixels that can be made smaller. */
export function isRaster(mimeType: string): boolean {
  return rasters.has(mimeType)
}

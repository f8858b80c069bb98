/** A picture's size, in its own pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The square that is kept of a picture: its centre and its side, in pixels of the picture. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly side: number
}

/** Of the largest square; no smaller one than this many pixels is kept of a picture that has them. */
const mostZoom = 10
const leastSide = 48

/** The largest square, in the middle. */
export function wholeCrop(size: Size): Crop {
  return { x: size.width / 2, y: size.height / 2, side: largest(size) }
}

/** The square moved by pixels of the picture, which it never leaves. */
export function movedCrop(crop: Crop, size: Size, by: { readonly x: number; readonly y: number }): Crop {
  return within({ ...crop, x: crop.x + by.x, y: crop.y + by.y }, size)
}

/** The square that shows its middle larger by this factor. */
export function zoomedCrop(crop: Crop, size: Size, factor: number): Crop {
  return within({ ...crop, side: crop.side / factor }, size)
}

/** How much larger a square shows its part than the largest one would. */
export function zoomOf(crop: Crop, size: Size): number {
  return largest(size) / crop.side
}

/** How large a square may show its part at most. */
export function mostZoomOf(size: Size): number {
  return largest(size) / smallest(size)
}

function within({ x, y, side: wanted }: Crop, size: Size): Crop {
  const side = Math.min(largest(size), Math.max(smallest(size), wanted))
  return { x: between(x, side / 2, size.width - side / 2), y: between(y, side / 2, size.height - side / 2), side }
}

function between(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

function largest({ width, height }: Size): number {
  return Math.min(width, height)
}

function smallest(size: Size): number {
  return Math.min(largest(size), Math.max(leastSide, largest(size) / mostZoom))
}
